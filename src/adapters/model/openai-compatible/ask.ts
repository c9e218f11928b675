// One try, through Vercel's SDK: the prompt out, the answer in. Everything that the SDK does of its own accord (tries
// again, reports, warns on the console) is off.
import type { Prompt } from "#core/prompt/prompt.ts";
import type { Completion } from "#ports.ts";
import { unusable } from "./failure.ts";
import { createOutput, type Output } from "./output.ts";
import type { Gate, Post } from "./post.ts";
import { type Seen, watchedFetch } from "./wire.ts";

export interface Endpoint {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  readonly post: Post;
  readonly maxOutputTokens?: number;
  readonly maxOutputCharacters: number;
}

export interface Asked {
  readonly prompt: Prompt;
  readonly signal: AbortSignal;
  /** With it, the answer is streamed. */
  readonly onText?: (piece: string) => void;
  readonly atTheGate?: Gate;
}

export type Ask = (asked: Asked, seen: Seen) => Promise<Completion>;

export async function askWith(endpoint: Endpoint): Promise<Ask> {
  const sdk = await loadSdk();
  return async (asked, seen) => {
    const { onText } = asked;
    const output = createOutput(endpoint.maxOutputCharacters, (piece) => {
      if (onText === undefined) return;
      seen.hasPassedOn = true;
      onText(piece);
    });
    const request = requestOf(sdk, endpoint, asked, seen);
    const end = await (onText === undefined ? whole : inPieces)(sdk, request, output);
    if (end.reason === "content-filter") throw unusable("was withheld by its content filter");
    const text = output.end(end.reason === "length");
    if (text === "") throw unusable("is empty");
    return { text, model: nameOr(endpoint.model, end.model) };
  };
}

type Sdk = Awaited<ReturnType<typeof loadSdk>>;
type Request = ReturnType<typeof requestOf>;

async function loadSdk() {
  const [{ generateText, streamText }, { createOpenAICompatible }] = await Promise.all([
    import("ai"),
    import("@ai-sdk/openai-compatible"),
  ]);
  globalThis.AI_SDK_LOG_WARNINGS = false;
  return { generateText, streamText, createOpenAICompatible };
}

function requestOf(sdk: Pick<Sdk, "createOpenAICompatible">, endpoint: Endpoint, asked: Asked, seen: Seen) {
  const { baseUrl, model, apiKey, maxOutputTokens } = endpoint;
  const provider = sdk.createOpenAICompatible({
    name: "endpoint",
    baseURL: baseUrl,
    fetch: watchedFetch(endpoint.post, seen, asked.atTheGate),
    ...(apiKey !== undefined && { apiKey }),
  });
  return {
    model: provider(model),
    instructions: asked.prompt.system,
    prompt: asked.prompt.user,
    abortSignal: asked.signal,
    maxRetries: 0,
    telemetry: { isEnabled: false },
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  };
}

interface End {
  readonly reason: string;
  /** The model, as the endpoint says. */
  readonly model: unknown;
}

async function whole({ generateText }: Sdk, request: Request, output: Output): Promise<End> {
  const { text, finishReason, response } = await generateText(request);
  output.add(text);
  return { reason: finishReason, model: response.modelId };
}

async function inPieces({ streamText }: Sdk, request: Request, output: Output): Promise<End> {
  let model: unknown;
  // Errors come as parts of the stream; unless told otherwise the SDK writes them to the console as well.
  const { stream } = streamText({ ...request, includeRawChunks: true, onError: () => undefined });
  for await (const part of stream) {
    if (part.type === "error") throw part.error;
    // The name stands in every chunk; the SDK tells it only at the end, which an answer that is cut never sees.
    if (part.type === "raw") model ??= (part.rawValue as { model?: unknown } | null)?.model;
    if (part.type === "text-delta") output.add(part.text);
    if (output.isFull) return { reason: "length", model };
    if (part.type === "finish") return { reason: part.finishReason, model };
  }
  throw unusable("broke off");
}

const NAME = /^[^\p{C}\p{Z}](?:[^\p{C}]{0,126}[^\p{C}\p{Z}])?$/u;

/** What is no name does not get into a receipt. */
function nameOr(configured: string, given: unknown): string {
  return typeof given === "string" && NAME.test(given) ? given : configured;
}
