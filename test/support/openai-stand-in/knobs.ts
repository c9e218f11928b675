// The settings of the stand-in: how it answers, and which faults it shows.

import type { ToolCall } from "./response-bodies.ts";

export type Fault =
  /** Never answers. */
  | { readonly kind: "hang" }
  /** Sends the first half of the answer, then nothing more. */
  | { readonly kind: "hang-midway" }
  /** Closes the connection instead of answering. */
  | { readonly kind: "reset" }
  /** Closes the connection after the first half of the answer. */
  | { readonly kind: "reset-midway" }
  /** Ends the response in good order after the first half, without a reason to finish. */
  | { readonly kind: "stop-midway" }
  /** Answers with an error. Its body echoes the request with its headers, the key too, as some endpoints do. */
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: "malformed-json" }
  | { readonly kind: "empty-choices" }
  | { readonly kind: "empty-answer" }
  /** Sends a web page with status 200. */
  | { readonly kind: "wrong-content-type" }
  /** Compresses the answer, although the client did not ask for that. */
  | { readonly kind: "compressed" }
  /** Sends JSON to a client that wants a stream, and a stream to one that does not. */
  | { readonly kind: "other-mode" }
  /** Never ends the answer. */
  | { readonly kind: "endless" }
  /** Sends an error in the middle of a stream, or instead of a whole answer. Status 200. */
  | { readonly kind: "error-event" }
  | { readonly kind: "content-filter" }
  /** Declines to answer, in the field for refusals. */
  | { readonly kind: "refusal" }
  /** Ends the answer as if it had reached the limit of tokens. */
  | { readonly kind: "length" }
  /** Ends a stream without `[DONE]`. */
  | { readonly kind: "no-done" }
  /** Leaves the connection of a stream open after `[DONE]`. */
  | { readonly kind: "open-after-done" };

/** How an endpoint refuses messages that are longer than the model's context. */
export interface Overflow {
  readonly status: number;
  readonly body: unknown;
}

export interface Messages {
  readonly system: string;
  readonly user: string;
}

export interface Knobs {
  /** Called when a request has arrived in full. */
  onChat: (messages: Messages) => void;
  /** The time before each response. */
  latencyMs: number | (() => number | Promise<number>);
  /** The time before each token of a stream. */
  tokenMs: number;
  /** The name that the stand-in gives itself. */
  model: string;
  answer: (messages: Messages) => string;
  /** The tools that it calls in place of an answer; none if that is empty. `request` is the whole one. */
  calls: (request: unknown) => readonly ToolCall[];
  /** The model's context. Counts characters, where a real endpoint counts tokens. */
  contextCharacters: number;
  overflow: Overflow;
  /** The faults of the next requests, one each. */
  next: Fault[];
  /** The fault of every request after those. */
  always: Fault | undefined;
}

const LLAMA_CPP_OVERFLOW: Overflow = {
  status: 400,
  body: {
    error: {
      code: 400,
      message: "request (9412 tokens) exceeds the available context size (8192 tokens), try increasing it",
      type: "exceed_context_size_error",
      n_prompt_tokens: 9412,
      n_ctx: 8192,
    },
  },
};

export function defaultKnobs(): Knobs {
  return {
    onChat: () => undefined,
    latencyMs: 0,
    tokenMs: 0,
    model: "stand-in-1",
    answer: () => "This is what I know about that.",
    calls: () => [],
    contextCharacters: Number.POSITIVE_INFINITY,
    overflow: LLAMA_CPP_OVERFLOW,
    next: [],
    always: undefined,
  };
}

/** For `knobs.answer`: the user message, word for word. */
export const echo: Knobs["answer"] = ({ user }) => user;

export function times(count: number, fault: Fault): Fault[] {
  return Array.from({ length: count }, () => fault);
}

export function tooMany(retryAfter?: string): Fault {
  return { kind: "status", status: 429, ...(retryAfter !== undefined && { headers: { "retry-after": retryAfter } }) };
}
