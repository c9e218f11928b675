// Taking records away, and recording them as they were in another database. What is on record here stays as it is: a
// record that has the id of one on record, or of a forgotten memory, is passed over. So a repeat adds nothing.
import type { NameList } from "#core/encoding/digest.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { BreakReason } from "#core/receipt/receipt.ts";
import type { Tombstone } from "#core/tombstone.ts";
import type { BlobLease } from "./anchoring.ts";
import type { PublicSigningKey } from "./identity.ts";
import type { RecordedDecision } from "./logs.ts";
import type { MemoryOnRecord } from "./memories.ts";
import type { After, Page } from "./paging.ts";
import type { Stamp } from "./policy.ts";
import type { BegunRecord, LoggedReceipt } from "./receipts.ts";

export interface TransferRecords {
  /** Tombstones in the order of their forgetting. Looks at `limit` removals at most. */
  tombstones(page: TombstoneQuery): Promise<TombstonePage>;
  /** When and by whom these memories were superseded, by id. */
  supersededAt(memoryIds: readonly string[]): Promise<ReadonlyMap<string, Superseding>>;
  /** Which of these are on record, current, superseded or forgotten. */
  knownMemories(memoryIds: readonly string[]): Promise<ReadonlySet<string>>;

  /**
   * Records memories with their ids, keys, pins and history, in this order, and answers how many. One whose key names
   * another memory here is passed over. Rejects as a capture does when a name or a limit stands in the way.
   */
  restoreMemories(memories: readonly RestoredMemory[], stamp: Stamp): Promise<number>;
  restoreTombstones(tombstones: readonly ExportedTombstone[]): Promise<number>;
  /** A list that receipts and decisions refer to. Prune nothing until these are recorded. */
  restoreList(list: NameList): Promise<void>;
  /** A complete receipt takes the place of one that is begun here. */
  restoreReceipts(receipts: readonly RestoredReceipt[]): Promise<number>;
  restoreDecisions(decisions: readonly RestoredDecision[]): Promise<number>;
  /** Public keys, without their private halves: as former keys of the deployment, or for receipts of the tenant alone. */
  restoreKeys(keys: readonly Required<PublicSigningKey>[], whose: "deployment" | "tenant"): Promise<void>;
  /** Makes these the rules of the policy, in one change. Answers whether anything changed. */
  replacePolicy(rules: readonly AccessRule[], stamp: Stamp): Promise<boolean>;
}

export interface TombstoneQuery extends After<number> {
  readonly namespaces?: readonly string[] | undefined;
  readonly sourceAgent?: string | undefined;
}

export type TombstonePage = Page<"tombstones", ExportedTombstone, number>;

export interface ExportedTombstone extends Tombstone {
  readonly sourceAgent: string;
}

export type Superseding = Omit<Stamp, "decision">;

export interface RestoredMemory {
  readonly memory: MemoryOnRecord;
  /** Of one that has `supersededBy`. */
  readonly superseding?: Superseding;
  readonly lease?: BlobLease | undefined;
}

export interface RestoredReceipt extends Omit<BegunRecord, "blockedList" | "seed" | "usedNamespaces"> {
  readonly blockedDigest?: string;
  readonly seed?: string;
  readonly reason?: BreakReason;
  /** Absent when it is not complete. */
  readonly counts?: Pick<LoggedReceipt, "used" | "verified" | "intact" | "signatureDigest">;
}

/** Decisions have no id. `copy` is how many equal ones come before it in what is restored. */
export interface RestoredDecision extends Omit<RecordedDecision, "sequence" | "requestId"> {
  readonly copy: number;
}
