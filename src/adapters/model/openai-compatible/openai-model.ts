// A language model behind any endpoint that speaks OpenAI's chat completions. It gets the prompt's two messages and
// nothing else. One deadline covers all tries. When the caller aborts, the connection is closed at once.
import { text as readText } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { fencedRequest, type SendRequest } from "#adapters/fenced-request.ts";
import { type Deadline, withDeadline } from "#async/with-deadline.ts";
import { jitteredBackoffMs, retryAfterMs } from "#core/backoff.ts";
import type { CompletionChunk } from "#core/prompt/completion-message.ts";
import type { ForwardOptions, LanguageModel } from "#ports.ts";
import { drain, type Endpoint, eventData, exchange, requestCompletion } from "./chat-completion.ts";
import { modelName, parse } from "./completion-parser.ts";
import { CallFailure, modelError, timeoutError } from "./failure.ts";

export interface OpenAiCompatibleOptions extends Endpoint, Partial<RetryPolicy> {
  /** For all tries together, pauses included. */
  readonly timeoutMs?: number;
  readonly post?: SendRequest;
  /** A longer answer is cut to this length, gets an `…`, and ends the call. */
  readonly maxOutputCharacters?: number;
  /** What callers who bring their own request may use. The model alone when left out. */
  readonly allowed?: readonly AllowedModel[];
}

export interface AllowedModel extends Pick<Endpoint, "baseUrl" | "apiKey" | "model"> {
  /** The name that callers use. */
  readonly name: string;
}

export function openAiCompatibleModel({
  timeoutMs = 60_000,
  post = fencedRequest,
  maxOutputCharacters = 16_000,
  retries = 2,
  sleep = (ms, signal) => delay(ms, undefined, { signal }),
  random = Math.random,
  now = Date.now,
  allowed: given,
  ...options
}: OpenAiCompatibleOptions): LanguageModel {
  const endpoint = { ...options, post, maxOutputCharacters };
  const policy: RetryPolicy = { retries, sleep, random, now };
  const allowed = given ?? [{ ...options, name: options.model }];
  const endpoints = new Map(allowed.map((model) => [model.name, { ...model, post }]));

  /** `call` is given a listener that passes pieces on, and is tried again until the first. */
  const attempt = <P, T>(
    callerSignal: AbortSignal | undefined,
    listener: ((piece: P) => void) | undefined,
    call: (signal: AbortSignal, listener: (piece: P) => void) => Promise<T>,
  ) =>
    withDeadline(
      timeoutMs,
      ({ signal, remaining }) => {
        let hasStarted = false;
        const heard = (piece: P) => {
          // After an abort the caller gets nothing more, even if the endpoint goes on sending.
          if (signal.aborted) return;
          hasStarted = true;
          listener?.(piece);
        };
        return retry(() => call(signal, heard), { signal, remaining, hasStarted: () => hasStarted }, policy);
      },
      { signal: callerSignal, onTimeout: () => timeoutError(timeoutMs) },
    );

  return {
    name: options.model,
    complete: (prompt, { fence, signal: callerSignal, onText }) =>
      attempt(callerSignal, onText, (signal, heard) =>
        requestCompletion(endpoint, { prompt, fence, signal, ...(onText !== undefined && { onText: heard }) }),
      ),
    completions: {
      models: new Map(allowed.map(({ name, model }) => [name, model])),
      forward: (name, request, { fence, signal: callerSignal, onChunk }) =>
        attempt(callerSignal, onChunk, async (signal, heard) => {
          const provider = endpoints.get(name);
          if (provider === undefined) throw new CallFailure({ kind: "invalid-request" });
          return forwardCompletion(provider, { request, fence, signal, onChunk: heard });
        }),
    },
  };
}

// Retries calls that failed for a while only, within the deadline. Nothing is retried after the caller got a part of
// the answer: a second answer does not continue the first.

interface RetryPolicy {
  readonly retries: number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<unknown>;
  /** From 0 to 1, as `Math.random`. */
  readonly random: () => number;
  /** Milliseconds since 1970, to read a date in Retry-After. */
  readonly now: () => number;
}

interface Progress extends Deadline {
  readonly hasStarted: () => boolean;
}

async function retry<T>(
  call: () => Promise<T>,
  { signal, remaining, hasStarted }: Progress,
  { retries, sleep, random, now }: RetryPolicy,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await call();
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof CallFailure)) throw error;
      const { fault, isTransient } = error;
      if (tries >= retries || hasStarted() || !isTransient) throw modelError(error, hasStarted());
      const retryAfter = fault.kind === "status" ? fault.retryAfter : undefined;
      const pause = pauseMs(tries, retryAfter, now(), random);
      // A pause past the deadline would only delay this error.
      if (pause >= remaining()) throw modelError(error, hasStarted());
      await sleep(pause, signal);
    }
  }
}

const PAUSES = { firstMs: 500 };
const JITTER_MS = 250;

/** The pause before another try. An endpoint's Retry-After comes first. */
export function pauseMs(tries: number, retryAfter: string | undefined, now: number, random: () => number): number {
  const requested = retryAfterMs(retryAfter, now);
  return requested === undefined ? jitteredBackoffMs(tries, PAUSES, random) : requested + random() * JITTER_MS;
}

// One call of a provider with a caller's own request: what comes back is passed on as it is, a whole completion or chunk
// by chunk. Rejects with a CallFailure for whatever the provider does wrong.

const text = z.string().nullish();
const called = z.looseObject({ name: text, arguments: text });
const toolCall = z.looseObject({ index: z.int().min(0).max(1_000).optional(), id: text, function: called.optional() });
const message = z.looseObject({ content: text, refusal: text, tool_calls: z.array(toolCall).nullish() }).nullish();
const choice = z.looseObject({ message, delta: message, finish_reason: text });
const chunk = z.looseObject({
  choices: z.array(choice),
  model: z.unknown().transform(modelName),
  error: z.null().optional(),
});

interface Forwarded extends Omit<ForwardOptions, "caller" | "template"> {
  readonly request: string;
  readonly signal: AbortSignal;
}

const forwardCompletion = (
  settings: Endpoint & { readonly post: SendRequest },
  { request: body, fence, signal, onChunk }: Forwarded,
): Promise<void> =>
  exchange(settings, { body, fence, signal, isForwarded: true }, async (chunks, headers) => {
    const isStream = headers["content-type"]?.startsWith("text/event-stream") === true;
    if (isStream) await passOn(eventData(chunks), onChunk);
    else onChunk(parseWhole(await readText(chunks)));
  });

async function passOn(events: AsyncGenerator<string>, onChunk: (chunk: CompletionChunk) => void): Promise<void> {
  let isFinished = false;
  for (let next = await events.next(); !next.done; next = await events.next()) {
    if (next.value === "[DONE]") {
      await drain(events);
      break;
    }
    const part: CompletionChunk = parse(chunk, next.value);
    isFinished ||= part.choices.some(({ finish_reason }) => (finish_reason ?? "") !== "");
    onChunk(part);
  }
  if (!isFinished) throw new CallFailure({ kind: "no-answer" });
}

function parseWhole(json: string): CompletionChunk {
  const whole: CompletionChunk = parse(chunk, json);
  if (whole.choices.length === 0) throw new CallFailure({ kind: "no-answer" });
  return whole;
}
