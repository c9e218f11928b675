import type { Answered, GateReport } from "./answered.ts";
import type { Fenced } from "./attempts/fence.ts";

/** Whoever waits for an answer, in words or as memories. It takes only what has passed the fence. */
export interface Caller<A = Answered> {
  /** Aborts when the caller goes away. */
  readonly signal?: AbortSignal;
  /** Present when the caller also wants the answer in pieces. */
  readonly listener?: Listener;
  /**
   * Takes the answer. Its promise resolves when the bytes have left the process, and must not wait for anything else.
   * When `lost` aborts, nothing more of them may leave.
   */
  release(answered: Fenced<A>, lost: AbortSignal): void | Promise<void>;
}

export interface Listener {
  /** Resolves when a piece that is written now would leave at once (backpressure). */
  ready(): Promise<void>;
  /**
   * Takes what the gate decided, as `release` does, before the model is asked. It comes before the first piece, again after
   * a restart, and again when the model needs a shorter prompt: the last one counts.
   */
  gate(report: Fenced<GateReport>, lost: AbortSignal): void | Promise<void>;
  /** Takes pieces of the answer, as `release` does. */
  write(pieces: Fenced<readonly string[]>, lost: AbortSignal): void | Promise<void>;
  /** Tells the caller that all so far is void, because the answer begins again. */
  restart(): void | Promise<void>;
}
