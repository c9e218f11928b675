// What an endpoint can do to whoever asks it.

export type Fault =
  /** Never answers. */
  | { readonly kind: "hang" }
  /** Sends the first half of its answer and then nothing more. */
  | { readonly kind: "hang-midway" }
  /** Closes the connection instead of answering, or after the first half. */
  | { readonly kind: "reset" }
  | { readonly kind: "reset-midway" }
  /** Ends in good order after the first half of a stream, without having said that it is finished. */
  | { readonly kind: "stop-midway" }
  /** An error, with a body that holds whatever the request held, the key too: some endpoints do that. */
  | { readonly kind: "status"; readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly kind: "malformed-json" }
  | { readonly kind: "empty-choices" }
  | { readonly kind: "empty-answer" }
  /** A web page, with status 200. */
  | { readonly kind: "wrong-content-type" }
  /** Never stops talking. */
  | { readonly kind: "endless" }
  /** An error in the middle of a stream; in a whole answer, in its place. */
  | { readonly kind: "error-event" }
  | { readonly kind: "content-filter" }
  /** Says that it declines, in the field that is for it. */
  | { readonly kind: "refusal" }
  /** As if it had run into the limit of tokens. */
  | { readonly kind: "length" };

export interface Knobs {
  /** Told of every request as soon as all of it has arrived. */
  onChat: (messages: { readonly system: string; readonly user: string }) => void;
  /** Before anything is answered. */
  latencyMs: number | (() => number);
  /** Before each token of a stream. */
  tokenMs: number;
  /** How it names itself. */
  model: string;
  answer: (messages: { readonly system: string; readonly user: string }) => string;
  /** What the next requests meet, one each. */
  next: Fault[];
  /** What every request meets after those. */
  always: Fault | undefined;
}

export function defaultKnobs(): Knobs {
  return {
    onChat: () => undefined,
    latencyMs: 0,
    tokenMs: 0,
    model: "stand-in-1",
    answer: () => "This is what I know about that.",
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
