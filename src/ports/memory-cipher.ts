import type { Fact, Memory, Seal } from "#core/memory.ts";

/**
 * Encrypts the memories of sealed namespaces, each under a key of its own, and opens them again. Keeps some opened texts in
 * memory. Does not know the records: whoever opens a memory has just read it from there.
 */
export interface MemoryCipher {
  status(): SealStatus;
  /** Of the key that seals, then of those that only open. */
  keyIds(): readonly string[];
  /** Has the key of today know all that former keys know, and answers with its id. Rejects with `seal-key-missing`. */
  takeOver(): Promise<string>;
  /** Rejects with `seal-key-missing` when it cannot seal. `key` is the caller's name for the fact. */
  seal(fact: Fact, memory: Pick<Memory, "memoryId" | "key">): Promise<SealedFact>;
  /** Undefined when it has not the key, and when the memory is not as it was sealed. */
  open(memory: SealedMemory): Promise<Fact | undefined>;
  /** Wraps the memory's key with the key of today; undefined when it cannot be unwrapped. */
  rewrap(memoryId: string, seal: Seal): Promise<Seal | undefined>;
  /** Encrypts what opens the private fields of a receipt. Rejects with `seal-key-missing`. */
  sealSeed(answerId: string, seed: string): Promise<string>;
  /** A seed that is not encrypted stays as it is. Undefined when it cannot be opened. */
  openSeed(answerId: string, seed: string): Promise<string | undefined>;
  /** Encrypts the question of an answer. Rejects with `seal-key-missing`. */
  sealQuestion(answerId: string, question: string): Promise<string>;
  /** Undefined when it cannot be opened. */
  openQuestion(answerId: string, sealed: string): Promise<string | undefined>;
  /** Removes what it keeps of these memories. */
  drop(memoryIds: Iterable<string>): void;
}

/** No key is set; or none that is set is the one that this database was sealed with. */
export type SealStatus = "ready" | "no-key" | "other-key";

export interface SealedFact {
  /** Of the encrypted blob. */
  readonly text: string;
  readonly seal: Seal;
}

/** A sealed memory as it is on record. */
export interface SealedMemory extends Pick<Memory, "memoryId" | "namespace"> {
  /** When it is known: then it must be that of the text. */
  readonly sourceAgent?: string;
  /** The text of the encrypted blob. */
  readonly content: string;
  readonly seal: Seal;
}
