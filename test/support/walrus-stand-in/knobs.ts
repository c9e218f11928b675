// How the stand-in goes wrong, by being told so. Plain fields: a test sets them, and `clear` sets them back.

export type Fault =
  /** Takes the request and never answers. */
  | "hang"
  /** Breaks the connection in place of an answer; nothing was done. */
  | "reset"
  /** Does it, announces the whole answer, sends half of it and breaks the connection. */
  | "truncate"
  /** Another blob's bytes, or another blob's id. */
  | "wrong-bytes"
  /** More bytes than any blob of ours has. */
  | "endless"
  /** 429 in plain text, as a load shedder in front of Walrus answers. */
  | "too-many-requests"
  | "unavailable"
  | "error-in-200"
  | "forbidden"
  /** To the same path on the same server, where following it would succeed. */
  | "redirect";

export interface Door {
  latencyMs: number;
  fault: Fault | undefined;
  /** For how many requests the fault lasts. */
  times: number;
}

export interface Knobs {
  readonly put: Door;
  readonly get: Door;
  /** Seconds, sent with 429 and 503. */
  retryAfter: number | undefined;
  /** How many reads of a blob are answered 404 after it was stored, as a CDN that cached one does. */
  cachedNotFounds: number;
  /** The network's epoch now. A blob whose end it has reached is gone. */
  epoch: number;
  /** The bearer token that the publisher wants. */
  token: string | undefined;
  /** Sets all back, but for the epoch: time does not run backwards. */
  clear(): void;
}

export function createKnobs(): Knobs {
  const standard = () => ({ latencyMs: 0, fault: undefined, times: Number.POSITIVE_INFINITY });
  return {
    put: standard(),
    get: standard(),
    retryAfter: undefined,
    cachedNotFounds: 0,
    epoch: 100,
    token: undefined,
    clear() {
      Object.assign(this.put, standard());
      Object.assign(this.get, standard());
      Object.assign(this, { retryAfter: undefined, cachedNotFounds: 0, token: undefined });
    },
  };
}

/** The fault of this request, which counts as one time. */
export function takeFault(door: Door): Fault | undefined {
  if (door.fault === undefined || door.times <= 0) return undefined;
  door.times -= 1;
  return door.fault;
}
