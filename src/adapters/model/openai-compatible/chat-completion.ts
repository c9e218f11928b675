// One call of the endpoint: sends the prompt, and reads the answer as one JSON body or, for a listener, as an event
// stream. Rejects with a CallFailure for whatever the endpoint does wrong, and with the error itself when the fence
// refuses or the listener throws.
import type { IncomingHttpHeaders } from "node:http";
import { text as readText } from "node:stream/consumers";
import { createParser } from "eventsource-parser";
import { ConnectionFailure, type SendRequest } from "#adapters/fenced-request.ts";
import { orAfter } from "#async/with-deadline.ts";
import { createCitationReader } from "#core/prompt/citation-reader.ts";
import { memoryCount, type Prompt } from "#core/prompt/prompt.ts";
import type { CompleteOptions, Completion } from "#ports.ts";
import { type AnswerPart, isOverflow, parseChunk, parseCompletion, refusedMember } from "./completion-parser.ts";
import { CallFailure } from "./failure.ts";

interface CallSettings extends Endpoint {
  readonly post: SendRequest;
  readonly maxOutputCharacters: number;
}

interface Call extends CompleteOptions {
  readonly prompt: Prompt;
  readonly signal: AbortSignal;
}

export function requestCompletion(settings: CallSettings, call: Call): Promise<Completion> {
  const { prompt, fence, signal, onText } = call;
  const body = bodyOf(settings, prompt, onText !== undefined);
  return exchange(settings, { body, fence, signal }, async (chunks) => {
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
  });
}

interface Sent extends Pick<Call, "fence" | "signal"> {
  readonly body: string;
  /** Whether a caller wrote the request, who is told which member of it the endpoint refuses. */
  readonly isForwarded?: boolean;
}

/** Sends a request, and has the body of a good response read. */
export async function exchange<T>(
  { post, baseUrl, apiKey }: Pick<CallSettings, "post" | "baseUrl" | "apiKey">,
  { body, fence, signal, isForwarded = false }: Sent,
  read: (chunks: Chunks, headers: IncomingHttpHeaders) => Promise<T>,
): Promise<T> {
  const headers = {
    "content-type": "application/json",
    ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }),
  };
  const connection = new AbortController();
  try {
    const closing = AbortSignal.any([signal, connection.signal]);
    const response = await post(urlOf(baseUrl), {
      method: "POST",
      headers,
      body: Buffer.from(body),
      signal: closing,
      fence,
    });
    const { status } = response;
    const chunks = limitBody(response.body, signal);
    if (status >= 200 && status <= 299) return await read(chunks, response.headers);
    const error = await readBeginning(chunks);
    if (isOverflow(status, error)) throw new CallFailure({ kind: "context-overflow" });
    const refused = isForwarded && (status === 400 || status === 422) ? refusedMember(error) : undefined;
    throw new CallFailure({ kind: "status", status, retryAfter: response.headers["retry-after"], refused });
  } catch (error) {
    if (!(error instanceof ConnectionFailure)) throw error;
    const { code } = error;
    throw new CallFailure(code === undefined ? { kind: "invalid-request" } : { kind: "connection", code });
  } finally {
    // Closes the connection of a body that was not read to its end. One that was read to its end is kept for reuse.
    connection.abort();
  }
}

type Chunks = AsyncGenerator<Uint8Array>;
type End = Omit<AnswerPart, "text">;

interface Sink {
  add(piece: string): void;
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

export interface Endpoint {
  /** Includes the version: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** Not sent when left out: newer models of OpenAI refuse the field. */
  readonly maxOutputTokens?: number;
}

function bodyOf({ model, maxOutputTokens }: Endpoint, { system, user }: Prompt, isStreamed: boolean): string {
  return JSON.stringify({
    model,
    messages: [
      { role: "system", content: system },
      { role: "user", content: user },
    ],
    ...(maxOutputTokens !== undefined && { max_tokens: maxOutputTokens }),
    ...(isStreamed && { stream: true }),
  });
}

function urlOf(baseUrl: string): string {
  const url = URL.parse(`${baseUrl.replace(/\/$/, "")}/chat/completions`);
  // node:http would send credentials of the URL as a header of its own.
  if (url === null || url.username !== "" || url.password !== "") throw new CallFailure({ kind: "invalid-request" });
  return url.href;
}

/** Far above the longest answer that is not cut, with the frame of a stream around every token. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const DRAIN_MS = 250;
/** An error is a few hundred bytes long, unless it echoes the request. */
const MAX_ERROR_BYTES = 64 * 1024;
/** An endpoint sends an error at once. One that does not is not waited for. */
const ERROR_MS = 500;

/** The body, up to the limit and until the signal aborts. Then the body is closed. */
async function* limitBody(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let remaining = MAX_BODY_BYTES;
  for await (const chunk of body) {
    signal.throwIfAborted();
    remaining -= chunk.length;
    if (remaining < 0) throw new CallFailure({ kind: "no-answer" });
    yield chunk;
  }
}

/** Reads and drops what is left, so that the connection can be used again. Not for long: it may be left open. */
export async function drain(rest: AsyncGenerator<unknown>): Promise<void> {
  const readToEnd = async () => {
    while (!(await rest.next()).done);
  };
  // When the connection fails or is closed, nothing of this body is needed any more.
  await orAfter(DRAIN_MS, readToEnd(), undefined).catch(() => undefined);
}

/** The beginning of an error's body. The rest is dropped, as by `drain`, and so is what comes too late. */
async function readBeginning(chunks: AsyncGenerator<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  const reading = (async () => {
    let remaining = MAX_ERROR_BYTES;
    for (let next = await chunks.next(); !next.done && remaining > 0; next = await chunks.next()) {
      read.push(next.value.subarray(0, remaining));
      remaining -= next.value.length;
    }
  })().catch(() => undefined);
  await orAfter(ERROR_MS, reading, undefined);
  await drain(chunks);
  return new TextDecoder().decode(Buffer.concat(read));
}

// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html): the data of each event. Comments
// and names of events are left out. An event that the stream breaks off in is dropped, as the standard says.

export async function* eventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const events: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => events.push(data) });
  const utf8 = new TextDecoder();
  for await (const chunk of chunks) {
    parser.feed(utf8.decode(chunk, { stream: true }));
    yield* events.splice(0);
  }
}

// Limits the text of an answer and passes it on in pieces. Nothing is passed on before the first visible character, a
// character is never split between pieces, and text over the limit is cut. A cut answer is not a failure: what was
// streamed has been read and belongs under a receipt, and `…` shows that there was more.

const ELLIPSIS = "…";
const HIGH_SURROGATE_AT_END = /[\ud800-\udbff]$/;

export function limitOutput(limit: number, onText: (piece: string) => void = () => undefined) {
  let text = "";
  let pending = "";
  let isFull = false;

  function passOn(piece: string): void {
    // A surrogate without its other half has no UTF-8, and so no digest.
    const wellFormed = piece.toWellFormed();
    if (wellFormed === "") return;
    text += wellFormed;
    onText(wellFormed);
  }

  return {
    /** The limit is reached. Further pieces are ignored. */
    get isFull(): boolean {
      return isFull;
    },
    add(piece: string): void {
      if (isFull) return;
      pending += piece;
      if (text.length + pending.length > limit) {
        isFull = true;
        pending = pending.slice(0, limit - text.length).replace(HIGH_SURROGATE_AT_END, "");
        return;
      }
      if (text === "" && pending.trim() === "") return;
      const half = HIGH_SURROGATE_AT_END.exec(pending)?.[0] ?? "";
      passOn(pending.slice(0, pending.length - half.length));
      pending = half;
    },
    /** Passes on what is left and returns the whole text. `isCut`: the model stopped before it was finished. */
    end(isCut: boolean): string {
      if (text === "" && pending.trim() === "") return "";
      passOn(isCut || isFull ? `${pending}${ELLIPSIS}` : pending);
      return text;
    },
  };
}
