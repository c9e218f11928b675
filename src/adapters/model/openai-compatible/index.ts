// Any endpoint that speaks OpenAI's chat completions: OpenAI, Ollama, vLLM, llama.cpp and the like. It is told the
// prompt's two messages and nothing else. One deadline covers all tries, and whoever asked may leave at any time: then
// the connection is closed at once.
import { setTimeout as delay } from "node:timers/promises";
import { PortcullisError } from "#core/errors.ts";
import type { LanguageModel } from "#ports.ts";
import { type Asked, askWith } from "./ask.ts";
import { type Patience, persist } from "./persist.ts";
import { post as overTheWire, type Post } from "./post.ts";

export interface OpenAiCompatibleOptions extends Partial<Patience> {
  /** Up to and with the version: `https://api.openai.com/v1`, `http://127.0.0.1:11434/v1`. */
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string;
  /** For all tries together, pauses included. */
  readonly timeoutMs?: number;
  readonly post?: Post;
  /** Left out, the endpoint decides: newer models of OpenAI refuse the field. */
  readonly maxOutputTokens?: number;
  /** An answer that is longer is cut after so many, `…` is added, and the call is ended. */
  readonly maxOutputCharacters?: number;
}

/** The SDK is loaded here and not before: whoever uses the built-in model does not pay for it. */
export async function openAiCompatibleModel({
  timeoutMs = 60_000,
  post = overTheWire,
  maxOutputCharacters = 16_000,
  retries = 2,
  sleep = (ms, signal) => delay(ms, undefined, { signal }),
  random = Math.random,
  now = Date.now,
  ...options
}: OpenAiCompatibleOptions): Promise<LanguageModel> {
  const ask = await askWith({ ...options, post, maxOutputCharacters });
  const patience: Patience = { retries, sleep, random, now };

  return {
    name: options.model,
    async complete(prompt, { signal, onText, atTheGate } = {}) {
      signal?.throwIfAborted();
      const call = new AbortController();
      const leave = () => call.abort(signal?.reason);
      const timer = setTimeout(() => call.abort(late(timeoutMs)), timeoutMs);
      signal?.addEventListener("abort", leave, { once: true });
      const asked: Asked = {
        prompt,
        signal: call.signal,
        ...(atTheGate !== undefined && { atTheGate: (send) => orEnd(call, () => atTheGate(send)) }),
        ...(onText !== undefined && { onText: (piece) => tell(onText, piece, call) }),
      };
      try {
        const deadline = performance.now() + timeoutMs;
        return await Promise.race([persist((wire) => ask(asked, wire), deadline, call.signal, patience), ended(call)]);
      } finally {
        clearTimeout(timer);
        signal?.removeEventListener("abort", leave);
        // Nothing is read any more: an answer that was cut, or a try that was given up, must not keep its connection.
        call.abort();
      }
    },
  };
}

/** The SDK may be slow to notice the signal; the deadline holds all the same. */
function ended({ signal }: AbortController): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}

/** Whoever left is told nothing more. An error of theirs ends the call, and is theirs again. */
function tell(onText: (piece: string) => void, piece: string, call: AbortController): void {
  if (call.signal.aborted) return;
  try {
    onText(piece);
  } catch (error) {
    call.abort(error);
  }
}

/** Where the prompt may not leave, no other try is made. */
async function orEnd(call: AbortController, pass: () => Promise<void>): Promise<void> {
  try {
    await pass();
  } catch (error) {
    call.abort(error);
    throw error;
  }
}

function late(timeoutMs: number): PortcullisError {
  return new PortcullisError(
    "model-timeout",
    `The language model has not answered within ${timeoutMs / 1000} s. Ask again, or raise MODEL_TIMEOUT_MS.`,
  );
}
