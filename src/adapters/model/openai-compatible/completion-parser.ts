// Parses the bodies of OpenAI's chat completions. Endpoints differ, so fields that are not used may hold anything. Text
// comes from the first choice alone, without reasoning and tool calls.
import { z } from "zod";
import { orUndefined } from "#core/defined.ts";
import { CallFailure } from "./failure.ts";

export interface AnswerPart {
  readonly text: string;
  /** Why the model stopped; absent while it goes on. */
  readonly finishReason: string | undefined;
  /** How the model names itself; absent unless that can be a name. */
  readonly model: string | undefined;
}

// Some endpoints send a list of typed parts instead of a string (Mistral).
const content = z.union([z.string(), z.array(z.looseObject({ type: z.string() }))]).nullish();
const message = z.object({ role: z.enum(["assistant", ""]).nullish(), content, refusal: z.unknown().optional() });
const finish_reason = z.string().nullish();
const envelope = { model: z.unknown().optional(), error: z.unknown().optional() };

const completion = z.object({ ...envelope, choices: z.array(z.object({ message, finish_reason })).min(1) });
// A chunk that only reports the usage has no choices.
const chunk = z.object({ ...envelope, choices: z.array(z.object({ delta: message.nullish(), finish_reason })) });

export function parseCompletion(json: string): AnswerPart {
  const { choices, ...rest } = parse(completion, json);
  return partOf(choices[0]?.message, choices[0]?.finish_reason, rest);
}

export function parseChunk(json: string): AnswerPart {
  const { choices, ...rest } = parse(chunk, json);
  return partOf(choices[0]?.delta, choices[0]?.finish_reason, rest);
}

export function parse<T>(schema: z.ZodType<T>, json: string): T {
  // The errors of JSON.parse and zod quote what they were given, so they are dropped.
  const body: unknown = orUndefined(() => JSON.parse(json));
  // LM Studio and some versions of llama.cpp report an overflow within a response of status 200.
  if (reportsOverflow(body)) throw new CallFailure({ kind: "context-overflow" });
  const { data } = schema.safeParse(body);
  if (data === undefined) throw new CallFailure({ kind: "no-answer" });
  return data;
}

function partOf(
  said: z.infer<typeof message> | null | undefined,
  finishReason: string | null | undefined,
  { model, error }: { model?: unknown; error?: unknown },
): AnswerPart {
  // OpenRouter reports an error of the model behind it within a response of status 200.
  if ((error ?? null) !== null || finishReason === "error") throw new CallFailure({ kind: "no-answer" });
  if (finishReason === "content_filter")
    throw new CallFailure({ kind: "unusable-answer", problem: "was withheld by its content filter" });
  // Some endpoints send `false` for none.
  if (typeof said?.refusal === "string" && said.refusal !== "")
    throw new CallFailure({ kind: "unusable-answer", problem: "is a refusal" });
  // Some endpoints send an empty reason until the last chunk.
  return { text: textOf(said?.content), finishReason: finishReason || undefined, model: modelName(model) };
}

function textOf(value: z.infer<typeof content>): string {
  if (typeof value === "string") return value;
  const texts = (value ?? []).map(({ type, text }) => (type === "text" && typeof text === "string" ? text : ""));
  return texts.join("");
}

const NAME = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,126}[^\p{C}\p{Z}])?$/u;

/** The name goes into receipts: only what can be a name gets there. */
export const modelName = (value: unknown): string | undefined =>
  typeof value === "string" && NAME.test(value) ? value : undefined;

// Recognises an endpoint's error that says that the prompt is longer than the model's context. OpenAI has a code for it,
// llama.cpp a type, vLLM, LM Studio and others only a sentence.

/** Endpoints send it as a bad request; llama.cpp before September 2025 as an error of the server. */
const STATUSES = new Set([400, 422, 500]);

const CODES: ReadonlySet<unknown> = new Set(["context_length_exceeded", "exceed_context_size_error"]);
const SENTENCE =
  /context (?:length|size|window)|maximum model length|(?:prompt|input) (?:is )?too long|input token count|`inputs` (?:must have|tokens)/i;
/** Some endpoints echo the request after their sentence. A question about context lengths is no overflow. */
const SENTENCE_CHARACTERS = 300;

export function isOverflow(status: number, body: string): boolean {
  if (status === 413) return true;
  if (!STATUSES.has(status)) return false;
  const json: unknown = orUndefined(() => JSON.parse(body));
  // Older versions of vLLM send the error without a frame.
  return reportsOverflow(json) || describesOverflow(json);
}

const reportsOverflow = (body: unknown): boolean => describesOverflow(fieldsOf(body).error);

/** An error is an object, for LM Studio also a sentence. */
function describesOverflow(error: unknown): boolean {
  if (typeof error === "string") return SENTENCE.test(error.slice(0, SENTENCE_CHARACTERS));
  const { code, type, message } = fieldsOf(error);
  return CODES.has(code) || CODES.has(type) || (typeof message === "string" && describesOverflow(message));
}

/** Nothing that a provider could quote from the request. */
const MEMBER = /^[\w.[\]-]{1,100}$/;

/** The member of the request that a provider refuses, if its error names one. */
export function refusedMember(body: string): string | undefined {
  const json: unknown = orUndefined(() => JSON.parse(body));
  const { param } = fieldsOf(fieldsOf(json).error);
  return typeof param === "string" && MEMBER.test(param) ? param : undefined;
}

interface ErrorFields {
  readonly error?: unknown;
  readonly code?: unknown;
  readonly type?: unknown;
  readonly message?: unknown;
  readonly param?: unknown;
}

const fieldsOf = (value: unknown): ErrorFields => (typeof value === "object" && value !== null ? value : {});
