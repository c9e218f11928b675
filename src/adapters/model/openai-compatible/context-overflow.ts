// Recognises an endpoint's error that says that the prompt is longer than the model's context. OpenAI has a code for it,
// llama.cpp a type, vLLM, LM Studio and others only a sentence.
import { orUndefined } from "#core/or-undefined.ts";

/** Endpoints send it as a bad request; llama.cpp before September 2025 as an error of the server. */
const STATUSES = new Set([400, 422, 500]);

const CODES: ReadonlySet<unknown> = new Set(["context_length_exceeded", "exceed_context_size_error"]);
const SENTENCE =
  /context (?:length|size|window)|maximum model length|(?:prompt|input) (?:is )?too long|input token count|`inputs` (?:must have|tokens)/i;
/** Some endpoints echo the request after their sentence. A question about context lengths is no overflow. */
const SENTENCE_CHARACTERS = 300;

/** Whether a response with a status other than 2xx says so. */
export function isOverflow(status: number, body: string): boolean {
  if (status === 413) return true;
  if (!STATUSES.has(status)) return false;
  const json: unknown = orUndefined(() => JSON.parse(body));
  // Older versions of vLLM send the error without a frame.
  return reportsOverflow(json) || describesOverflow(json);
}

/** Whether the body has an `error` that says so. */
export function reportsOverflow(body: unknown): boolean {
  return describesOverflow(fieldsOf(body).error);
}

/** An error is an object, for LM Studio also a sentence. */
function describesOverflow(error: unknown): boolean {
  if (typeof error === "string") return SENTENCE.test(error.slice(0, SENTENCE_CHARACTERS));
  const { code, type, message } = fieldsOf(error);
  return CODES.has(code) || CODES.has(type) || (typeof message === "string" && describesOverflow(message));
}

interface ErrorFields {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
}

function fieldsOf(value: unknown): ErrorFields {
  return typeof value === "object" && value !== null ? value : {};
}
