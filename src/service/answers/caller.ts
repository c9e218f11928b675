import type { Answered, GateReport } from "./answered.ts";
import type { Fenced } from "./attempts/fence.ts";

/** Whoever waits for an answer, in words or as memories. It takes only what has passed the fence. */
export interface Caller<A = Answered> {
  readonly signal?: AbortSignal;
  /** Present when the caller also wants the answer in pieces. */
  readonly listener?: Listener;
  /** Resolves when the bytes have left the process, and waits for nothing else. After `lost`, none may leave. */
  release(answered: Fenced<A>, lost: AbortSignal): void | Promise<void>;
}

export interface Listener {
  /** Resolves when a piece that is written now would leave at once (backpressure). */
  ready(): Promise<void>;
  /** Takes what the gate decided, before any piece, and again after a restart or with a shorter prompt. */
  gate(report: Fenced<GateReport>, lost: AbortSignal): void | Promise<void>;
  /** Takes pieces of the answer, as `release` does. */
  write(pieces: Fenced<readonly string[]>, lost: AbortSignal): void | Promise<void>;
  /** Tells the caller that all so far is void, because the answer begins again. */
  restart(): void | Promise<void>;
}
