// The record store: one part for each resource. A service takes the parts that it needs.
import type { Policy } from "#core/gate/policy.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import type { ProposalRecords } from "#ports/proposals.ts";
import type { TenantLog, TransparencyLog } from "#ports/transparency-log.ts";
import type { WebhookRecords } from "#ports/webhooks.ts";
import type * as anchoring from "./anchoring.ts";
import type { RecordAudit } from "./audit.ts";
import type { ChangeFeed } from "./change-feed.ts";
import type * as identity from "./identity.ts";
import type { DecisionRecords, EventRecords, RetentionRecords } from "./logs.ts";
import type * as memory from "./memories.ts";
import type { PolicyRecords, Stamp } from "./policy.ts";
import type { ReceiptRecords } from "./receipts.ts";
import type { ReportRecords } from "./reports.ts";
import type { TransferRecords } from "./transfer.ts";

/** How much a tenant may have, unless it has a quota of its own. What is on record when a limit is lowered stays. */
export interface RecordLimits {
  /** Absent: any number. */
  readonly memories?: number;
  /** Of the texts of memories, those included whose place another one took. */
  readonly textBytes?: number;
  /** Complete ones, and those that were begun. */
  readonly receipts?: number;
  /** Namespaces that have memories. */
  readonly namespaces: number;
  readonly policyRules: number;
  /** Rules of one namespace, as far as its own admins add them. */
  readonly namespaceRules: number;
}

/** The durable truth: a write that has answered survives a crash. Decides, searches and stores no blobs. */
export interface RecordStore {
  readonly memories: memory.MemoryRecords;
  readonly namespaces: memory.NamespaceRecords;
  readonly proposals: ProposalRecords;
  readonly changeFeed: ChangeFeed;
  readonly policy: PolicyRecords;
  readonly receipts: ReceiptRecords;
  readonly decisions: DecisionRecords;
  readonly events: EventRecords;
  readonly retention: RetentionRecords;
  readonly anchors: anchoring.AnchorRecords;
  readonly chainAnchors: anchoring.ChainAnchorRecords;
  readonly ledgerGates: anchoring.LedgerGateRecords;
  readonly ledgerLog: anchoring.LedgerLog;
  readonly leases: anchoring.LeaseRecords;
  readonly blobTexts: BlobTexts;
  readonly writeOnce: WriteOnceValues;
  readonly snapshots: memory.SnapshotRegister;
  readonly idempotency: identity.IdempotencyRecords;
  readonly locks: JobLocks;
  readonly keys: identity.KeyRecords;
  readonly signingKeys: identity.SigningKeyRecords;
  readonly encryption: memory.EncryptionRecords;
  readonly sessions: identity.SessionRecords;
  readonly quotas: identity.QuotaCounters;
  readonly transfer: TransferRecords;
  readonly reports: ReportRecords;
  readonly log: TenantLog;
  readonly webhooks: WebhookRecords;

  /** In one step, forgets every memory, records these and sets this policy. Receipts, anchors and settings stay. */
  reset(
    memories: readonly memory.MemoryOnRecord[],
    policy: Policy,
    stamp: Stamp,
    leases?: readonly anchoring.BlobLease[],
  ): Promise<void>;
  /** Runs `check` on a snapshot of all records. Writes go on meanwhile, and the audit does not see them. */
  audit<T>(check: (audit: RecordAudit) => Promise<T>): Promise<T>;
  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The records of a deployment: those of the tenant `default`, and the way to all others. */
export interface DeploymentRecords extends RecordStore {
  readonly tenants: identity.TenantRecords;
  readonly tenantDeletions: identity.TenantDeletions;
  readonly tenantTemplates: identity.TenantTemplateRecords;
  /** Spans tenants. */
  readonly dueWork: identity.DueWork;
  readonly ledgerWork: anchoring.LedgerWork;
  readonly transparencyLog: TransparencyLog;
  /** The deployment's own entries. */
  readonly deploymentLog: TenantLog;
  /** Keys that belong to no tenant: operators', and those of agents that act in every tenant. */
  readonly deploymentKeys: identity.KeyRecords;
  /**
   * The records of one tenant. Whoever has them cannot name another. Their `close` gives back what they hold in memory; it
   * is called when nobody uses them. They close with the deployment's as well.
   */
  recordsOf(tenant: Pick<TenantRef, "number">): RecordStore;
  /** The same for one call: they are closed after it, unless somebody else has them. */
  useRecordsOf<T>(tenant: Pick<TenantRef, "number">, work: (records: RecordStore) => Promise<T>): Promise<T>;
}

/** What blobs were made of: the canonical JSON of a memory's fact, or of an anchored receipt; or an encrypted fact. */
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

export type WriteOnceName =
  | "local-ledger-key"
  | "idempotency-secret"
  /** What digests of declined proposals are keyed with, where there is no key to encrypt with. */
  | "declined-secret"
  | "session-secret"
  | "position-key"
  | "pseudonym-secret"
  /** The seed of the key that signs the log's checkpoints. */
  | "log-key"
  /** What the secrets of webhooks are derived from. */
  | "webhook-key"
  /** What the id of a tenant's gate is derived from. */
  | "gate-key"
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
    name: "anchoring" | "seeding" | "first-key" | "signing-key" | "pruning" | "encryption" | "encryption-secret",
    job: () => Promise<T>,
  ): Promise<T>;
}
