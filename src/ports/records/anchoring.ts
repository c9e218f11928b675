// Anchored receipts: as blobs, which are kept for a time, and on the ledger; what was sent to gates, and the local log.
import type { TenantRef } from "#core/identity/tenant.ts";
import type { BlobAnchor, ChainAnchor } from "#core/ledger/anchor.ts";
import type { StoredBlob } from "#ports/storage.ts";
import type { Decision } from "./logs.ts";

export type { BlobAnchor, ChainAnchor };

export interface AnchorRecords {
  /** Records the anchor and, in the same step, the lease of its blob and the row of the decision log. Idempotent by blob id. */
  add(anchor: BlobAnchor, lease?: BlobLease, decision?: Decision): Promise<void>;
  /** Whether it is the blob of a receipt that was issued and anchored here, or of a memory that such a receipt names. */
  isPublished(blobId: string): Promise<boolean>;
  /**
   * The anchors that anyone may know of, by whatever names one: the id of its object on the ledger, its transaction, the id
   * of its blob, the digest of its bytes, or the id of its answer if the receipt was issued here. Those on the ledger, and
   * blobs of receipts that were issued here; each oldest first, and `limit` at most.
   */
  find(id: string, limit: number): Promise<FoundAnchors>;
  /** By blob id. */
  page(page: { readonly after?: string | undefined; readonly limit: number }): Promise<BlobAnchor[]>;
  counts(): Promise<AnchorCounts>;
}

export interface FoundAnchors {
  readonly blobs: readonly FoundBlob[];
  readonly onLedger: readonly FoundOnLedger[];
}

export interface FoundBlob extends Pick<BlobAnchor, "blobId" | "digest" | "anchoredAt"> {
  /** Whether it is the sealed form. */
  readonly sealed: boolean;
}

export interface FoundOnLedger
  extends FoundBlob,
    Pick<ChainAnchor, "receiptId" | "txDigest" | "allAuthorized">,
    Pick<BlobAnchor, "issued"> {}

export interface AnchorCounts {
  readonly blobs: number;
  readonly onLedger: number;
  readonly pending: number;
}

export interface ChainAnchorRecords {
  /** Records a request. Idempotent while the same request is pending. */
  request(request: ChainAnchorRequest, at: string): Promise<PendingChainAnchor>;
  /** The requests without an outcome on record, oldest first. */
  pending(): Promise<PendingChainAnchor[]>;
  /** How many requests have no outcome on record. Stops counting at `most`. */
  countPending(most: number): Promise<number>;
  /**
   * Records a transaction, before it is sent. A refused one may be built again, byte for byte, and is open again.
   * Rejects while another one is open, of whichever tenant: two transactions that use the same coin must never be sent. What it sends to a gate
   * counts as sent from now on.
   */
  addTransaction(transaction: SignedTransaction): Promise<void>;
  /** The tenant's own. */
  openTransactions(): Promise<SignedTransaction[]>;
  /** Whether the transaction was ever recorded here, for whichever tenant. */
  hasTransaction(txDigest: string): Promise<boolean>;
  /** Records the outcomes of a transaction's requests. Requests without one are pending again. */
  closeTransaction(txDigest: string, outcomes: readonly ChainOutcome[]): Promise<void>;
  /** Ends a request that needed no transaction of its own. */
  complete(outcome: ChainOutcome & { readonly imported?: true }): Promise<void>;
  /** Ends a request that the ledger will never take. Its caller was told so. */
  drop(id: number): Promise<void>;
  find(receiptId: string): Promise<ChainAnchor | undefined>;
  /** The outcome of a request; undefined while it is pending, and when it was dropped. */
  outcomeOf(id: number): Promise<ChainAnchor | undefined>;
}

/** What is to be done on the ledger, for whichever tenant: it has one signer. Changes nothing. */
export interface LedgerWork {
  /** The requests without an outcome on record, oldest first. */
  requests(limit: number): Promise<readonly (TenantRef & { readonly request: number })[]>;
  /** One at most. */
  openTransactions(): Promise<readonly (TenantRef & { readonly txDigest: string })[]>;
  /** Looks at so many tenants that have a gate, by number. Answers with those whose gate lacks versions of the policy. */
  gates(page: { readonly after: number; readonly limit: number }): Promise<{
    readonly behind: readonly TenantRef[];
    /** The `after` of the next page. Undefined on the last page. */
    readonly next: number | undefined;
  }>;
}

/** A receipt to be recorded on the ledger. */
export interface ChainAnchorRequest extends Pick<ChainAnchor, "agentId" | "blobId" | "digest" | "claimed"> {
  /** The version of the policy that the claims are judged by. The newest closed one, for a receipt of somebody else. */
  readonly policyVersion: number | "newest";
}

/** A request that is on record. It stays pending until its outcome is on record too. */
export interface PendingChainAnchor extends ChainAnchorRequest {
  readonly id: number;
}

export interface ChainOutcome extends Omit<ChainAnchor, keyof ChainAnchorRequest> {
  readonly id: number;
}

/** A signed transaction. It is recorded before it is sent, so that the same bytes can be sent again after a crash. */
export interface SignedTransaction {
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signature: string;
  /** The requests that it anchors, in the order of its calls. */
  readonly requests: readonly number[];
  /** The greatest version of the policy that it sends to a gate. */
  readonly sends?: { readonly gateId: string; readonly version: number } | undefined;
}

export interface LedgerGateRecords {
  /** Of a gate that was sent nothing, the greatest version is 0. */
  find(gateId: string): Promise<SentVersions>;
  /** The greatest version that was sent to any gate. */
  latest(): Promise<number>;
}

export interface SentVersions {
  /** The greatest version that may be on the gate because of us. It was sent, or is about to be. */
  readonly greatest: number;
  /** When the database was behind its gate, it moved past it. Oldest first. */
  readonly moves: readonly VersionMove[];
}

/** What the gate says of the versions between the two is not ours. */
export interface VersionMove {
  /** The last version that we know to be ours. */
  readonly after: number;
  /** The version to which the policy moved. */
  readonly version: number;
}

/** The transactions of the local ledger, in their order. The log is append-only. */
export interface LedgerLog {
  /** Rejects when the sequence is taken: another process writes to the same log. */
  append(transaction: LoggedTransaction): Promise<void>;
  /** The last transaction that was appended. Undefined before the first. */
  head(): Promise<Pick<LoggedTransaction, "sequence" | "chainHash"> | undefined>;
  page(page: { readonly after?: number | undefined; readonly limit: number }): Promise<readonly LoggedTransaction[]>;
}

/** A transaction of the local ledger, with all that is needed to execute it again with the same outcome. */
export interface LoggedTransaction {
  /** Its position in the ledger, from 1. */
  readonly sequence: number;
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  readonly timestampMs: number;
  readonly chainHash: string;
}

export interface LeaseRecords {
  /** Records the lease in place of the blob's earlier one, while a memory or an anchor has the blob. */
  put(lease: BlobLease): Promise<void>;
  find(blobId: string): Promise<BlobLease | undefined>;
  /** Those that are on record for these blobs, in any order. */
  findAll(blobIds: readonly string[]): Promise<readonly BlobLease[]>;
  /** The first `endsAt` among the receipts that were issued and anchored here, and the memories that they name. */
  firstEndOfPublished(): Promise<string | undefined>;
}

/** How long a store keeps a blob, as of when we last stored it. */
export interface BlobLease extends StoredBlob {
  readonly storedAt: string;
  /** The store keeps the blob at least until then. Absent if the store does not say. */
  readonly endsAt?: string;
}
