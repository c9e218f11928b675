// The record store: one part for each resource. A service takes the parts that it needs.
import type { Policy } from "#core/gate/policy.ts";
import type { AnchorRecords } from "./anchoring/anchors.ts";
import type { ChainAnchorRecords } from "./anchoring/chain-anchors.ts";
import type { GateRecords } from "./anchoring/gates.ts";
import type { LedgerLog } from "./anchoring/ledger-log.ts";
import type { RecordAudit } from "./audit.ts";
import type { IdempotencyRecords } from "./identity/idempotency.ts";
import type { KeyRecords, SessionRecords } from "./identity/keys.ts";
import type { QuotaCounters } from "./identity/quotas.ts";
import type { BlobLease, LeaseRecords } from "./leases.ts";
import type { DecisionRecords } from "./logs/decisions.ts";
import type { EventRecords } from "./logs/events.ts";
import type { RetentionRecords } from "./logs/retention.ts";
import type { ChangeFeed } from "./memories/change-feed.ts";
import type { MemoryOnRecord, MemoryRecords } from "./memories/memories.ts";
import type { NamespaceRecords } from "./memories/namespaces.ts";
import type { SealRecords } from "./memories/seals.ts";
import type { SnapshotRegister } from "./memories/snapshot-register.ts";
import type { PolicyRecords, Stamp } from "./policy.ts";
import type { ReceiptRecords } from "./receipts.ts";
import type { ReportRecords } from "./reports.ts";
import type { SigningKeyRecords } from "./signing-keys.ts";
import type { TransferRecords } from "./transfer.ts";

/** How much a store takes. What is on record when a limit is lowered stays. */
export interface RecordLimits {
  /** Namespaces that have memories. */
  readonly namespaces: number;
  readonly policyLeaves: number;
}

/**
 * The durable truth: memories, policy, receipts, anchors. A write that has answered survives a crash.
 * Does not decide who may use what, does not search, and does not hold blobs.
 */
export interface RecordStore {
  readonly memories: MemoryRecords;
  readonly namespaces: NamespaceRecords;
  readonly changeFeed: ChangeFeed;
  readonly policy: PolicyRecords;
  readonly receipts: ReceiptRecords;
  readonly decisions: DecisionRecords;
  readonly events: EventRecords;
  readonly retention: RetentionRecords;
  readonly anchors: AnchorRecords;
  readonly chainAnchors: ChainAnchorRecords;
  readonly gates: GateRecords;
  readonly ledgerLog: LedgerLog;
  readonly leases: LeaseRecords;
  readonly blobTexts: BlobTexts;
  readonly writeOnce: WriteOnceValues;
  readonly snapshots: SnapshotRegister;
  readonly idempotency: IdempotencyRecords;
  readonly locks: JobLocks;
  readonly keys: KeyRecords;
  readonly signingKeys: SigningKeyRecords;
  readonly seals: SealRecords;
  readonly sessions: SessionRecords;
  readonly quotas: QuotaCounters;
  readonly transfer: TransferRecords;
  readonly reports: ReportRecords;

  /**
   * Forgets every memory, then records these, pinned where they say so, and makes this the policy, in one step. Receipts
   * and anchors stay. Settings of namespaces stay.
   */
  reset(
    memories: readonly MemoryOnRecord[],
    policy: Policy,
    stamp: Stamp,
    leases?: readonly BlobLease[],
  ): Promise<void>;
  /** Runs `check` on a snapshot of all records. Writes go on meanwhile, and the audit does not see them. */
  audit<T>(check: (audit: RecordAudit) => Promise<T>): Promise<T>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** What blobs were made of: the canonical JSON of a memory's fact, or of an anchored receipt; or a sealed fact. */
export interface BlobTexts {
  /** Also of a superseded memory. */
  find(blobId: string): Promise<BlobText | undefined>;
  /** How many memories, superseded ones included, and anchored receipts there are. */
  count(): Promise<number>;
}

export interface BlobText {
  readonly text: string;
  /** Of a memory's blob. Absent for a receipt's. */
  readonly namespace?: string;
  /** A memory that has this blob. Several have it when one fact is on record under several keys. */
  readonly memoryId?: string;
  /** When that memory expires, if it does. It may have expired, and not be swept yet. */
  readonly expiresAt?: string;
}

type WriteOnceName =
  | "local-ledger-key"
  | "idempotency-secret"
  | "position-key"
  | "pseudonym-secret"
  /** Whether a gate has plain names or pseudonyms. */
  | `gate-names ${string}`;

/** Values that are the same in every process, because the first one written stays. */
export interface WriteOnceValues {
  /** Stores the value unless the name has one already. Answers with the stored value. */
  putIfAbsent(name: WriteOnceName, value: Uint8Array): Promise<Uint8Array>;
  find(name: WriteOnceName): Promise<Uint8Array | undefined>;
}

/** Mutexes across processes. */
export interface JobLocks {
  /** Runs `job` while no other job of this name runs, in any process. */
  exclusively<T>(
    name: "anchoring" | "seeding" | "first-key" | "signing-key" | "pruning" | "sealing" | "sealing-secret",
    job: () => Promise<T>,
  ): Promise<T>;
}
