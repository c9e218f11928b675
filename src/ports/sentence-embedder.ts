// The port of a sentence model.
import type { Abortable } from "./blobs.ts";

export interface EmbedOptions extends Abortable {
  /** Questions go before memories: somebody waits for them. `memory` when left out. */
  readonly of?: "question" | "memory";
}

/**
 * Turns a text into a vector of its meaning. It works inside the process: a text that went to an embedder elsewhere
 * would leave beside the gate. It does not know what a memory is, and keeps no text.
 */
export interface SentenceEmbedder {
  /** The vectors of all texts have the same length. Rejects when it is busy, closed or has failed. */
  embed(text: string, options?: EmbedOptions): Promise<Int8Array>;
  /** Rejects what waits, and ends. */
  close(): Promise<void>;
}
