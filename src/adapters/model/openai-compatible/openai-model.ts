// A language model behind any endpoint that speaks OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp and the
// like. The endpoint gets the prompt's two messages and nothing else. One deadline covers all tries. When the caller
// aborts, the connection is closed at once.
import { setTimeout as delay } from "node:timers/promises";
import { withDeadline } from "#async/with-deadline.ts";
import type { LanguageModel } from "#ports.ts";
import { requestCompletion } from "./chat-completion.ts";
import { timeoutError } from "./failure.ts";
import { fencedPost, type Post } from "./fenced-post.ts";
import { type RetryPolicy, retry } from "./retry.ts";

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
