import type { Memory, Seal } from "#core/memory.ts";
import type { ReceiptStatus } from "#core/receipt/receipt-status.ts";
import type { ForgetCause, Tombstone } from "#core/tombstone.ts";
import type { BlobLease } from "#ports/records/leases.ts";
import type { Decision } from "#ports/records/logs/decisions.ts";
import type { PageOf } from "#ports/records/paging.ts";
import type { Stamp } from "#ports/records/policy.ts";

/** A memory as the store has it. It is sealed if it has a seal, and then its content is the text of its encrypted blob. */
export interface MemoryOnRecord extends Omit<Memory, "sealed"> {
  readonly seal?: Seal;
}

export interface MemoryRecords {
  /**
   * Records the memory, not pinned, and in the same step the lease of its blob and the row of the decision log. Answers
   * with the memory on record: the same fact (its `contentDigest`, or its seal's `factHash`) under the same key, or without one, is recorded once, and
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
  add(memory: MemoryOnRecord, lease?: BlobLease, decision?: Decision): Promise<MemoryOnRecord>;
  /** Rejects as `add` would reject such a memory now. */
  checkNames(names: Pick<Memory, "namespace" | "sourceAgent">): Promise<void>;
  /** Also a superseded one. */
  find(memoryId: string): Promise<MemoryOnRecord | undefined>;
  /** Those of these ids that are on record, by id, superseded ones included. */
  findAll(memoryIds: readonly string[]): Promise<ReadonlyMap<string, MemoryOnRecord>>;
  /** The current memory of this source agent under this key. */
  findByKey(named: NamedFact): Promise<MemoryOnRecord | undefined>;
  /** Whose memory this is, or the current one under this key. Also one that has expired and was not swept yet. */
  findRemovable(wanted: Pick<Memory, "memoryId"> | NamedFact): Promise<RemovableMemory | undefined>;
  /** The current memories captured at these sequences, by sequence. */
  at(sequences: readonly number[]): Promise<ReadonlyMap<number, MemoryOnRecord>>;
  page(page: PageOf<number> & MemoryFilter): Promise<MemoryPage>;
  /** Pins or unpins a memory. Setting what is set already changes nothing, the change feed included. */
  setPinned(pin: Pin, stamp: Stamp): Promise<PinOutcome>;
  counts(): Promise<MemoryCounts>;
  /**
   * Forgets these memories, superseded ones included, in one step behind the fence, and leaves a tombstone of each.
   * Unknown ids are passed over. Answers with what was forgotten now.
   */
  forget(forgetting: Forgetting, stamp: Stamp): Promise<readonly Forgotten[]>;
  /** Forgets memories whose time is over by the database's clock, `limit` at most, and answers how many. */
  forgetExpired(limit: number, decision?: Decision): Promise<number>;
  tombstone(memoryId: string): Promise<RecordedTombstone | undefined>;
  /** Which of these are current and have not expired. */
  current(memoryIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** The answers that were given this memory, newest first. Also of a forgotten one. */
  uses(memoryId: string, page: PageOf<string>): Promise<UsePage>;
}

export interface NamedFact {
  readonly namespace: string;
  readonly sourceAgent: string;
  readonly key: string;
}

export type RemovableMemory = Pick<Memory, "memoryId" | "namespace" | "sourceAgent" | "storeRef">;

export interface Forgetting {
  /** 500 at most. */
  readonly memoryIds: readonly string[];
  readonly cause: ForgetCause;
  readonly reason?: string;
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

/** An answer that was given a memory. */
export interface MemoryUse {
  readonly answerId: string;
  readonly agentId: string;
  readonly createdAt: string;
  readonly status: ReceiptStatus;
}

export interface UsePage {
  readonly uses: readonly MemoryUse[];
  /** The answer id before which the next page begins; absent on the last one. */
  readonly next?: string;
}

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
  /** In one of these. */
  readonly namespaces?: readonly string[];
  readonly sourceAgent?: string;
  /** Captured before this time. */
  readonly createdBefore?: string;
  /** Superseded ones instead of current ones. */
  readonly superseded?: boolean;
  /** The content contains this; ASCII letters match in either case, all else exactly. */
  readonly contains?: string;
}

export interface MemoryPage {
  readonly memories: readonly MemoryOnRecord[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: number;
}

export interface MemoryCounts {
  readonly byNamespace: ReadonlyMap<string, number>;
  /** Only the 1,000 with most memories. Nothing limits how many there are. */
  readonly bySourceAgent: ReadonlyMap<string, number>;
  readonly sourceAgents: number;
}
