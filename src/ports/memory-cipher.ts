import type { Encryption, Fact, Memory } from "#core/memory.ts";

/**
 * Encrypts the memories of encrypted namespaces, each under a key of its own, and opens them again. Keeps some decrypted texts in
 * memory. Does not know the records: whoever opens a memory has just read it from there.
 */
export interface MemoryCipher {
  status(): EncryptionStatus;
  /** Of the key that encrypts, then of those that only decrypt. */
  keyIds(): readonly string[];
  /** Has the key of today know all that former keys know, and answers with its id. Rejects with `encryption-key-missing`. */
  takeOver(): Promise<string>;
  /** Rejects with `encryption-key-missing` when it cannot encrypt. `key` is the caller's name for the fact. */
  encrypt(fact: Fact, memory: Pick<Memory, "memoryId" | "key">): Promise<EncryptedFact>;
  /** Undefined when it has not the key, and when the memory is not as it was encrypted. */
  decrypt(memory: EncryptedMemory): Promise<Fact | undefined>;
  /** Wraps the memory's key with the key of today; undefined when it cannot be unwrapped. */
  rewrap(memoryId: string, encryption: Encryption): Promise<Encryption | undefined>;
  /** Encrypts what opens the private fields of a receipt. Rejects with `encryption-key-missing`. */
  encryptSeed(answerId: string, seed: string): Promise<string>;
  /** A seed that is not encrypted stays as it is. Undefined when it cannot be decrypted. */
  decryptSeed(answerId: string, seed: string): Promise<string | undefined>;
  /** Encrypts the question of an answer. Rejects with `encryption-key-missing`. */
  encryptQuestion(answerId: string, question: string): Promise<string>;
  /** Undefined when it cannot be decrypted. */
  decryptQuestion(answerId: string, encrypted: string): Promise<string | undefined>;
  /** For digests of what callers send. No copy of the database holds it. Undefined when it cannot encrypt. */
  digestKey(): Promise<Uint8Array | undefined>;
  /** Removes what it keeps of these memories. */
  drop(memoryIds: Iterable<string>): void;
}

/** No key is set; or none that is set is the one that this database was encrypted with. */
export type EncryptionStatus = "ready" | "no-key" | "other-key";

export interface EncryptedFact {
  /** Of the encrypted blob. */
  readonly text: string;
  readonly encryption: Encryption;
}

/** An encrypted memory as it is on record. */
export interface EncryptedMemory extends Pick<Memory, "memoryId" | "namespace"> {
  /** When it is known: then it must be that of the text. */
  readonly sourceAgent?: string;
  /** The text of the encrypted blob. */
  readonly content: string;
  readonly encryption: Encryption;
}
