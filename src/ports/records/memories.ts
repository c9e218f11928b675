// Memories, their namespaces, and what the records have of encrypted ones. Nothing here opens any of them.
import type { FactFilter } from "#core/memories/fact-filter.ts";
import type { Encryption, Memory, MemoryOnRecord, NamespaceSettings } from "#core/memory.ts";
import type { ReceiptStatus } from "#core/receipt/receipt.ts";
import type { ForgetCause, Tombstone } from "#core/tombstone.ts";
import type { ProposalDecision } from "#ports/proposals.ts";
import type { BlobLease } from "./anchoring.ts";
import type { Decision } from "./logs.ts";
import type { After, Page, PageOf } from "./paging.ts";
import type { Stamp } from "./policy.ts";

export type { MemoryOnRecord, NamespaceSettings };

export interface MemoryRecords {
  /**
   * Records the memory, not pinned, and in the same step the lease of its blob and the row of the decision log. Answers
   * with the memory on record: the same fact (its `contentDigest`, or its encryption's `factHash`) under the same key, or without one, is recorded once, and
   * of facts that an earlier version recorded several times the first memory counts. A repeat that has an `expiresAt`
   * replaces that of the memory on record.
   *
   * The memory with the same namespace, source agent and key, and the one that `supersedes` names, become history in the
   * same step, behind the fence. `supersedes` of the recorded memory is the one named, else the one with the key. Rejects
   * with `not-found` when the one named is not current, or in another namespace.
   *
   * Rejects with `limit-reached` when its namespace is new and there are too many, and with `confusable-name` when its
   * namespace or its source agent is new and looks like another.
   */
  add(
    memory: MemoryOnRecord,
    lease?: BlobLease,
    decision?: Decision,
    /** The proposal that becomes the memory in the same step. Rejects with `already-decided` when it does not wait. */
    accepted?: ProposalDecision,
  ): Promise<MemoryOnRecord>;
  /** Rejects as `add` would reject such a memory now. */
  checkNames(names: Pick<Memory, "namespace" | "sourceAgent">): Promise<void>;
  /** Also a superseded one. */
  find(memoryId: string): Promise<MemoryOnRecord | undefined>;
  /** Those of these ids that are on record, by id, superseded ones included. */
  findAll(memoryIds: readonly string[]): Promise<ReadonlyMap<string, MemoryOnRecord>>;
  findByKey(named: NamedFact): Promise<MemoryOnRecord | undefined>;
  /** Whose memory this is, or the current one under this key. Also one that has expired and was not swept yet. */
  findRemovable(wanted: Pick<Memory, "memoryId"> | NamedFact): Promise<RemovableMemory | undefined>;
  /** The current memories captured at these sequences, by sequence. */
  at(sequences: readonly number[]): Promise<ReadonlyMap<number, MemoryOnRecord>>;
  page(page: PageOf<number> & MemoryFilter): Promise<MemoryPage>;
  /** Pins or unpins a memory. Setting what is set already changes nothing, the change feed included. */
  setPinned(pin: Pin, stamp: Stamp): Promise<PinOutcome>;
  counts(): Promise<MemoryCounts>;
  /** In one step behind the fence, history included. Leaves tombstones, and answers with what was forgotten now. */
  forget(forgetting: Forgetting, stamp: Stamp): Promise<readonly Forgotten[]>;
  /** How many of these could be forgotten, and the anchored receipts that quote them. */
  countToForget(
    memoryIds: readonly string[],
  ): Promise<{ readonly memories: number; readonly anchoredReceipts: number }>;
  /** Forgets memories whose time is over by the database's clock, `limit` at most, and answers how many. */
  forgetExpired(limit: number, decision?: Decision): Promise<number>;
  tombstone(memoryId: string): Promise<RecordedTombstone | undefined>;
  /** Which of these are current and have not expired. */
  current(memoryIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The answers that were given this memory, newest first. Also of a forgotten one. */
  uses(memoryId: string, page: PageOf<string>): Promise<UsePage>;
}

export type NamedFact = Pick<Memory, "namespace" | "sourceAgent"> & Readonly<Record<"key", string>>;

export type RemovableMemory = Pick<Memory, "memoryId" | "namespace" | "sourceAgent" | "storeRef">;

export interface Forgetting {
  /** 500 at most. */
  readonly memoryIds: readonly string[];
  readonly cause: ForgetCause;
  readonly reason?: string | undefined;
}

export interface Forgotten {
  readonly tombstone: Tombstone;
  readonly storeRef: string;
  /** How many receipts name it that were issued here and anchored in the open form: these stay public. */
  readonly anchoredReceipts: number;
}

export interface RecordedTombstone {
  readonly tombstone: Tombstone;
  readonly sourceAgent: string;
  /** As in `Forgotten`. */
  readonly anchoredReceipts: number;
  /** A receipt that was issued here and anchored, in whatever form, names it. */
  readonly isNamedInPublic: boolean;
}

export interface MemoryUse {
  readonly answerId: string;
  readonly agentId: string;
  readonly createdAt: string;
  readonly status: ReceiptStatus;
}

/** The next page begins before an answer id. */
export type UsePage = Page<"uses", MemoryUse, string>;

export interface Pin {
  readonly memoryId: string;
  readonly pinned: boolean;
  /** No memory is pinned in a namespace that has this many pinned memories. */
  readonly limit: number;
}

export type PinOutcome =
  | { readonly kind: "set"; readonly memory: MemoryOnRecord }
  /** The namespace has as many pinned memories as the limit allows. */
  | { readonly kind: "full" }
  /** There is no such memory, or it was forgotten. */
  | { readonly kind: "not-found" };

/** Which memories a page may hold. A field that is left out lets all pass. */
export interface MemoryFilter {
  readonly namespaces?: readonly string[] | undefined;
  readonly sourceAgent?: string | undefined;
  readonly createdBefore?: string | undefined;
  /** Superseded ones instead of current ones. */
  readonly superseded?: boolean | undefined;
  /** The content contains this; ASCII letters match in either case, all else exactly. */
  readonly contains?: string | undefined;
  /** Also by details, which are part of an encrypted text. */
  readonly matching?: FactFilter | undefined;
}

export type MemoryPage = Page<"memories", MemoryOnRecord, number>;

export interface MemoryCounts {
  readonly byNamespace: ReadonlyMap<string, number>;
  /** Only the 1,000 with most memories. Nothing limits how many there are. */
  readonly bySourceAgent: ReadonlyMap<string, number>;
  readonly sourceAgents: number;
}

/** What is said about namespaces. A namespace needs no settings to be used. */
export interface NamespaceRecords {
  find(name: string): Promise<NamespaceEntry | undefined>;
  /**
   * Records the settings in place of earlier ones. Rejects as a capture into this namespace would. When `encrypted` changed,
   * the change feed gives the namespace's head again. To encrypt takes the fence alone, because blobs of plain text are
   * stored behind it. With `allowConfusable` its name may look like another.
   */
  put(settings: GivenSettings, stamp: Stamp, options?: { readonly allowConfusable: boolean }): Promise<void>;
  /** Those that have memories or settings, in UTF-8 order of their names, after the one of this name. */
  page(page: After<string> & { readonly names?: readonly string[] | undefined }): Promise<NamespacePage>;
}

/** Whoever only describes a namespace does not decrypt it: without `encrypted` it stays as it is. */
export type GivenSettings = Omit<NamespaceSettings, "encrypted"> & Partial<Pick<NamespaceSettings, "encrypted">>;

export interface NamespaceEntry extends NamespaceSettings {
  readonly memories: number;
}

/** The next page begins after a name. */
export type NamespacePage = Page<"namespaces", NamespaceEntry, string>;

export interface EncryptionRecords {
  /** How many memories, superseded ones included, by the id of the key that wraps theirs. */
  counts(): Promise<ReadonlyMap<string, number>>;
  /** The ids of these keys. It does not count, and so it is quick. */
  keyIds(): Promise<readonly string[]>;
  /** Memories whose key is wrapped by another key than this one, by id. */
  wrappedByOthers(page: After<string> & { readonly keyId: string }): Promise<WrappedKey[]>;
  /** Replaces wrapped keys where they are still as they were read. Answers how many. */
  rewrap(changes: readonly Rewrapping[]): Promise<number>;
  /** The secret of hashes of facts and seeds of receipts, wrapped by each key that knows it; by key id. */
  secrets(): Promise<ReadonlyMap<string, Uint8Array>>;
  /** Unless there is one of this key already. */
  addSecret(keyId: string, wrapped: Uint8Array): Promise<void>;
  removeSecret(keyId: string): Promise<void>;
  /** Namespaces whose settings say that they are encrypted, and that have unencrypted memories, superseded ones included. */
  unencryptedNamespaces(): Promise<readonly string[]>;
  /** Current memories of a namespace that are open, oldest first. */
  openIn(namespace: string, limit: number): Promise<readonly MemoryOnRecord[]>;
  /**
   * Records encrypted memories in place of unencrypted ones, in one step behind the fence: the unencrypted ones are forgotten with the
   * cause "encrypted", and what is recorded has their pins. Those that are not current any more are passed over. Answers with
   * what was forgotten.
   */
  replace(replacements: readonly Replacement[], stamp: Stamp): Promise<readonly Forgotten[]>;
  /** The ids of unencrypted memories of a namespace that were superseded. */
  openHistoryIn(namespace: string, limit: number): Promise<readonly string[]>;
}

export interface WrappedKey {
  readonly memoryId: string;
  readonly encryption: Encryption;
}

export interface Rewrapping {
  readonly memoryId: string;
  readonly from: Encryption;
  readonly to: Encryption;
}

export interface Replacement {
  /** Of the unencrypted one. */
  readonly memoryId: string;
  readonly encrypted: MemoryOnRecord;
  readonly lease?: BlobLease | undefined;
}

/** Which snapshots of the index were made of these records: one that was restored from a backup knows no others. */
export interface SnapshotRegister {
  /** Records the SHA-256 of a snapshot of this namespace. A few of the newest are kept, because replicas make their own. */
  add(namespace: string, digest: string): Promise<void>;
  remove(namespace: string): Promise<void>;
  all(): Promise<ReadonlyMap<string, ReadonlySet<string>>>;
}
