// Requests that carry an Idempotency-Key: which are in progress, and what they made. Digests stand for keys and bodies,
// and no answer's text is kept.

export interface IdempotencyRecords {
  /**
   * Begins a request, or says why not. One that is older than `oldest`, and one in progress whose lease has ended because
   * its process did, count as if they had not been.
   */
  begin(request: IdempotentRequest): Promise<Begun>;
  /** Extends the lease of a request in progress. These three change nothing when another process has taken it over. */
  extend(held: HeldRequest, leaseEnd: number): Promise<void>;
  /** Records what the request made, as a short text. */
  complete(held: HeldRequest, outcome: string): Promise<void>;
  /** Forgets a request that made nothing, so that it can be tried again. */
  abandon(held: HeldRequest): Promise<void>;
  /** Forgets up to `limit` requests that began before this time. Answers with how many there were. */
  sweep(before: number, limit: number): Promise<number>;
}

export interface HeldRequest {
  /** Of the identity, the route and the key. */
  readonly id: string;
  /** Names the process that works on it, for this one request. */
  readonly holder: string;
}

/** Times are in milliseconds. */
export interface IdempotentRequest extends HeldRequest {
  /** Of the body. */
  readonly digest: string;
  readonly now: number;
  readonly leaseEnd: number;
  readonly oldest: number;
}

export type Begun =
  | { readonly kind: "begun" }
  | { readonly kind: "in-progress" }
  /** The first request with this id had another body. */
  | { readonly kind: "other-request" }
  | { readonly kind: "done"; readonly outcome: string };
