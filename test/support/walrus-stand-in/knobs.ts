// The stand-in's misbehaviour. Plain fields: a test sets them, and `clear` sets them back.

export type Fault =
  /** Takes the request and never answers. */
  | "hang"
  /** Resets the connection and does nothing else. */
  | "reset"
  /** Handles the request, announces the whole answer, sends half of it and closes the connection. */
  | "truncate"
  /** Answers with the bytes of another blob, or with the id of another blob. */
  | "wrong-bytes"
  /** Answers with more bytes than any of our blobs has. */
  | "endless"
  /** Answers 429 in plain text, as a load shedder in front of Walrus does. */
  | "too-many-requests"
  | "unavailable"
  | "error-in-200"
  | "forbidden"
  /** Redirects to the same path on the same server. A client that follows the redirect succeeds. */
  | "redirect";

export interface ServerKnobs {
  latencyMs: number;
  /** Requests wait for this promise before they are handled. */
  hold: Promise<unknown> | undefined;
  fault: Fault | undefined;
  /** How many requests meet the fault. */
  times: number;
}

export interface Knobs {
  readonly put: ServerKnobs;
  readonly get: ServerKnobs;
  /** Seconds, sent with 429 and 503. */
  retryAfter: number | undefined;
  /** How many reads of a blob are answered 404 after it was stored, as by a CDN that cached the 404. */
  cachedNotFounds: number;
  /** The network's current epoch. A blob is gone when this reaches its end epoch. */
  epoch: number;
  /** The bearer token that the publisher requires. */
  token: string | undefined;
  /** Sets everything back except the epoch, because time does not run backwards. */
  clear(): void;
}

export function createKnobs(): Knobs {
  const defaults = () => ({ latencyMs: 0, hold: undefined, fault: undefined, times: Number.POSITIVE_INFINITY });
  return {
    put: defaults(),
    get: defaults(),
    retryAfter: undefined,
    cachedNotFounds: 0,
    epoch: 100,
    token: undefined,
    clear() {
      Object.assign(this.put, defaults());
      Object.assign(this.get, defaults());
      Object.assign(this, { retryAfter: undefined, cachedNotFounds: 0, token: undefined });
    },
  };
}

/** The fault that this request meets. It counts as one time. */
export function takeFault(knobs: ServerKnobs): Fault | undefined {
  if (knobs.fault === undefined || knobs.times <= 0) return undefined;
  knobs.times -= 1;
  return knobs.fault;
}
