// One call of the endpoint: sends the prompt, and reads the answer as one JSON body or, for a listener, as an event
// stream. Rejects with a CallFailure for whatever the endpoint does wrong, and with the error itself when the fence
// refuses or the listener throws.
import { text as readText } from "node:stream/consumers";
import { createCitationReader } from "#core/prompt/citation-reader.ts";
import { memoryCount, type Prompt } from "#core/prompt/prompt.ts";
import type { CompleteOptions, Completion } from "#ports.ts";
import { chatCompletionsRequest, type Endpoint } from "./chat-completions-request.ts";
import { type AnswerPart, parseChunk, parseCompletion } from "./completion-parser.ts";
import { isOverflow } from "./context-overflow.ts";
import { eventData } from "./event-stream.ts";
import { CallFailure } from "./failure.ts";
import type { Post } from "./fenced-post.ts";
import { limitOutput } from "./output-limit.ts";
import { drain, limitBody, readBeginning } from "./response-body.ts";

interface CallSettings extends Endpoint {
  readonly post: Post;
  readonly maxOutputCharacters: number;
}

interface Call extends CompleteOptions {
  readonly prompt: Prompt;
  readonly signal: AbortSignal;
}

export async function requestCompletion(settings: CallSettings, call: Call): Promise<Completion> {
  const { prompt, fence, signal, onText } = call;
  const { url, headers, body } = chatCompletionsRequest(settings, prompt, onText !== undefined);
  const connection = new AbortController();
  try {
    const closing = AbortSignal.any([signal, connection.signal]);
    const response = await settings.post(url, { headers, body, signal: closing, fence });
    const { status } = response;
    const chunks = limitBody(response.body, signal);
    if (status < 200 || status > 299) {
      const error = await readBeginning(chunks);
      if (isOverflow(status, error)) throw new CallFailure({ kind: "context-overflow" });
      throw new CallFailure({ kind: "status", status, retryAfter: response.headers["retry-after"] });
    }
    const citations = createCitationReader(memoryCount(prompt));
    const output = limitOutput(settings.maxOutputCharacters, onText);
    const end = await (onText === undefined ? readBody : readStream)(chunks, {
      add: (piece) => output.add(citations.add(piece)),
      isFull: () => output.isFull,
    });
    output.add(citations.end());
    const text = output.end(end.finishReason === "length");
    if (text === "") throw new CallFailure({ kind: "unusable-answer", problem: "is empty" });
    const cited = citations.cited();
    return { text, model: end.model ?? settings.model, ...(cited && { cited }) };
  } finally {
    // Closes the connection of a body that was not read to its end. One that was read to its end is kept for reuse.
    connection.abort();
  }
}

type Chunks = AsyncGenerator<Uint8Array>;
type End = Omit<AnswerPart, "text">;

/** Takes the model's words as they arrive. */
interface Sink {
  add(piece: string): void;
  /** Further pieces would be ignored. */
  isFull(): boolean;
}

async function readBody(chunks: Chunks, output: Sink): Promise<End> {
  const { text, ...end } = parseCompletion(await readText(chunks));
  output.add(text);
  return end;
}

async function readStream(chunks: Chunks, output: Sink): Promise<End> {
  let model: string | undefined;
  let finishReason: string | undefined;
  const events = eventData(chunks);
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value === "[DONE]") {
      await drain(events);
      break;
    }
    const part = parseChunk(next.value);
    model ??= part.model;
    finishReason = part.finishReason ?? finishReason;
    output.add(part.text);
    if (output.isFull()) return { model, finishReason: "length" };
  }
  // Without a reason the stream broke off, whether or not `[DONE]` came.
  if (finishReason === undefined) throw new CallFailure({ kind: "no-answer" });
  return { model, finishReason };
}
