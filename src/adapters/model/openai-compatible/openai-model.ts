// A language model behind any endpoint that speaks OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp and the
// like. The endpoint gets the prompt's two messages and nothing else. One deadline covers all tries. When the caller
// aborts, the connection is closed at once.
import { setTimeout as delay } from "node:timers/promises";
import { type Deadline, withDeadline } from "#async/with-deadline.ts";
import { jitteredBackoffMs, retryAfterMs } from "#core/backoff.ts";
import type { LanguageModel } from "#ports.ts";
import { requestCompletion } from "./chat-completion.ts";
import { CallFailure, modelError, timeoutError } from "./failure.ts";
import { fencedPost, type Post } from "./fenced-post.ts";

export interface OpenAiCompatibleOptions extends Partial<RetryPolicy> {
  /** Includes the version: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** For all tries together, pauses included. */
  readonly timeoutMs?: number;
  readonly post?: Post;
  /** Not sent when left out: newer models of OpenAI refuse the field. */
  readonly maxOutputTokens?: number;
  /** A longer answer is cut to this length, gets an `…`, and ends the call. */
  readonly maxOutputCharacters?: number;
}

export function openAiCompatibleModel({
  timeoutMs = 60_000,
  post = fencedPost,
  maxOutputCharacters = 16_000,
  retries = 2,
  sleep = (ms, signal) => delay(ms, undefined, { signal }),
  random = Math.random,
  now = Date.now,
  ...options
}: OpenAiCompatibleOptions): LanguageModel {
  const endpoint = { ...options, post, maxOutputCharacters };
  const policy: RetryPolicy = { retries, sleep, random, now };

  return {
    name: options.model,
    complete: (prompt, { fence, signal: callerSignal, onText }) =>
      withDeadline(
        timeoutMs,
        ({ signal, remaining }) => {
          let hasStarted = false;
          const listener = (piece: string) => {
            // After an abort the caller gets nothing more, even if the endpoint goes on sending.
            if (signal.aborted) return;
            hasStarted = true;
            onText?.(piece);
          };
          const call = { prompt, fence, signal, ...(onText !== undefined && { onText: listener }) };
          const progress = { signal, remaining, hasStarted: () => hasStarted };
          return retry(() => requestCompletion(endpoint, call), progress, policy);
        },
        { signal: callerSignal, onTimeout: () => timeoutError(timeoutMs) },
      ),
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
