// What the records have of sealed memories beside the memories themselves. Nothing here opens any of them.
import type { Seal } from "#core/memory.ts";
import type { BlobLease } from "#ports/records/leases.ts";
import type { Stamp } from "#ports/records/policy.ts";
import type { Forgotten, MemoryOnRecord } from "./memories.ts";

export interface SealRecords {
  /** How many memories, superseded ones included, by the id of the key that wraps theirs. */
  counts(): Promise<ReadonlyMap<string, number>>;
  /** The ids of these keys. It does not count, and so it is quick. */
  keyIds(): Promise<readonly string[]>;
  /** Memories whose key is wrapped by another key than this one, by id. */
  wrappedByOthers(page: {
    readonly keyId: string;
    readonly after?: string;
    readonly limit: number;
  }): Promise<WrappedKey[]>;
  /** Replaces wrapped keys where they are still as they were read. Answers how many. */
  rewrap(changes: readonly Rewrapping[]): Promise<number>;
  /**
   * The secret that hashes of facts and seeds of receipts are made with, wrapped by each key that knows it; by key id.
   */
  secrets(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Unless there is one of this key already. */
  addSecret(keyId: string, wrapped: Uint8Array): Promise<void>;
  removeSecret(keyId: string): Promise<void>;
  /** Namespaces whose settings say that they are sealed, and that have open memories, superseded ones included. */
  unsealedNamespaces(): Promise<readonly string[]>;
  /** Current memories of a namespace that are open, oldest first. */
  openIn(namespace: string, limit: number): Promise<readonly MemoryOnRecord[]>;
  /**
   * Records sealed memories in the place of open ones, in one step behind the fence: the open ones are forgotten with the
   * cause "sealed", and what is recorded has their pins. Those that are not current any more are passed over. Answers with
   * what was forgotten.
   */
  replace(replacements: readonly Replacement[], stamp: Stamp): Promise<readonly Forgotten[]>;
  /** The ids of open memories of a namespace that were superseded. */
  openHistoryIn(namespace: string, limit: number): Promise<readonly string[]>;
}

export interface WrappedKey {
  readonly memoryId: string;
  readonly seal: Seal;
}

export interface Rewrapping {
  readonly memoryId: string;
  readonly from: Seal;
  readonly to: Seal;
}

export interface Replacement {
  /** Of the open one. */
  readonly memoryId: string;
  readonly sealed: MemoryOnRecord;
  readonly lease?: BlobLease | undefined;
}
