// The durable truth.

import type { AccessRule, Policy, VersionedPolicy } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type {
  BlobAnchor,
  ChainAnchor,
  ChainAnchorRequest,
  ChainOutcome,
  LoggedTransaction,
  PendingChainAnchor,
  SignedTransaction,
} from "./anchors.ts";
import type { RecordAudit } from "./audit.ts";
import type { BlobLease } from "./blobs.ts";
import type {
  AnchorCounts,
  ChangePosition,
  HourOfAnswers,
  IssuedReceipt,
  MemoryCounts,
  MemoryFilter,
  MemoryPage,
  PageOf,
  PolicyChangePage,
  ReceiptFilter,
  ReceiptPage,
  RecordedReceipt,
  Stamp,
} from "./history.ts";

/** What one consistent read of the records shows to somebody who knew an earlier state. */
export interface Snapshot {
  /** The changes of memories after the known position, oldest first; `position` is that of the last of them. */
  readonly changes: readonly MemoryChange[];
  readonly position: number;
  /** False when there are more changes than one read may bring. */
  readonly complete: boolean;
  readonly policyVersion: number;
  /** Absent when the known version is still the current one. */
  readonly policy?: Policy;
}

export interface Known {
  readonly position: number;
  readonly policyVersion: number;
}

/** What a request took from the gate, and under which version of the policy it was allowed to. */
export interface Sight {
  readonly agentId: string;
  readonly policyVersion: number;
  /** The namespaces of the memories that it uses. */
  readonly namespaces: readonly string[];
}

/**
 * The durable truth: memories, policy, receipts, anchors. A write that has answered survives a crash.
 * Does not decide who may use what, does not search, and does not hold blobs.
 */
export interface RecordStore {
  /** Policy and changes of memories as of one moment. Every recall begins with this. */
  snapshot(known: Known): Promise<Snapshot>;
  /** The memories captured at these sequences, in the order asked for; one that was forgotten since is left out. */
  memoriesAt(sequences: readonly number[]): Promise<Memory[]>;
  listMemories(page: PageOf<number> & MemoryFilter): Promise<MemoryPage>;
  memory(memoryId: string): Promise<Memory | undefined>;
  memoryCounts(): Promise<MemoryCounts>;
  addMemory(memory: Memory, lease?: BlobLease): Promise<void>;

  policy(): Promise<VersionedPolicy>;
  /** Sets one leaf. Setting what is already so changes nothing, the version included. */
  setAccess(rule: AccessRule, stamp: Stamp): Promise<VersionedPolicy>;
  /** The change log, newest version first; the leaves of a version by agent id and namespace. */
  policyChanges(page: { readonly from?: ChangePosition; readonly limit: number }): Promise<PolicyChangePage>;

  /**
   * The fence. Runs `act` if the agent may use all of the sight's namespaces at that moment, and answers whether it did.
   * A change of the policy is acknowledged only when every `act` that an older policy let pass has ended, in every
   * process: afterwards nothing older passes. So `act` must be short.
   */
  passFence(sight: Sight, act: () => void | Promise<void>): Promise<boolean>;
  /** Calls `listener` soon after every change of the policy, whichever process made it, and perhaps more often. */
  onPolicyChange(listener: () => void): void;
  /** Runs `job` when no other of this name runs, in any process. */
  exclusively<T>(name: "anchoring" | "seeding", job: () => Promise<T>): Promise<T>;

  addReceipt(receipt: IssuedReceipt): Promise<void>;
  /** Whether a receipt with this id and this canonical JSON, word for word, was issued here. */
  isIssued(answerId: string, body: string): Promise<boolean>;
  /** By answer id, greatest first: ids begin with the time. */
  receipts(page: PageOf<string> & ReceiptFilter): Promise<ReceiptPage>;
  receipt(answerId: string): Promise<RecordedReceipt | undefined>;
  /** From the hour `since` (`2026-01-02T03`) on, oldest first, without hours that have none. */
  answersByHour(since: string): Promise<readonly HourOfAnswers[]>;
  /** Anchoring the same blob again changes nothing. */
  addAnchor(anchor: BlobAnchor, lease?: BlobLease): Promise<void>;
  anchors(page: { readonly after?: string; readonly limit: number }): Promise<BlobAnchor[]>;
  anchorCounts(): Promise<AnchorCounts>;

  /** Puts a request on record. One that is pending already is not put there twice. */
  requestChainAnchor(request: ChainAnchorRequest, at: string): Promise<PendingChainAnchor>;
  /** The requests whose outcome is not on record, oldest first. */
  pendingChainAnchors(): Promise<PendingChainAnchor[]>;
  /**
   * Recorded before a transaction is sent. One that was refused may be built again, byte for byte, and is open again.
   * Rejects while another one is open: two that use the same coin must never be sent.
   */
  addTransaction(transaction: SignedTransaction): Promise<void>;
  /** Transactions whose outcome is not on record. */
  openTransactions(): Promise<SignedTransaction[]>;
  /** What came of it, request by request. Those that are not among them are pending again. */
  closeTransaction(txDigest: string, outcomes: readonly ChainOutcome[]): Promise<void>;
  /** Ends a request that needed no transaction of its own. */
  completeChainAnchor(outcome: ChainOutcome): Promise<void>;
  /** Ends a request that the ledger will never take; whoever asked was told so. */
  dropChainAnchor(id: number): Promise<void>;
  chainAnchor(receiptId: string): Promise<ChainAnchor | undefined>;
  /** How a request ended; undefined while it is pending, and when it was dropped. */
  outcomeOfRequest(id: number): Promise<ChainAnchor | undefined>;

  /** The local ledger's transactions, in their order. */
  appendLedgerTransaction(transaction: LoggedTransaction): Promise<void>;
  ledgerTransactions(page: { readonly after?: number; readonly limit: number }): Promise<readonly LoggedTransaction[]>;

  /** Forgets every memory, then remembers these, and makes this the policy, in one step. Receipts and anchors stay. */
  reset(memories: readonly Memory[], policy: Policy, stamp: Stamp, leases?: readonly BlobLease[]): Promise<void>;

  /** Notes how long a blob is kept, instead of what was noted before. */
  keepLease(lease: BlobLease): Promise<void>;
  leaseOf(blobId: string): Promise<BlobLease | undefined>;
  /** How many memories and anchored receipts there are. */
  blobCount(): Promise<number>;
  /** What a blob was made of: the canonical JSON of a memory's fact, or of an anchored receipt. */
  blobText(blobId: string): Promise<string | undefined>;

  /** Keeps the first value that anybody gives under this name, and answers everybody with that one. */
  keepOnce(name: "local-ledger-key", value: Uint8Array): Promise<Uint8Array>;

  /** Writers are neither seen nor held up meanwhile. */
  audit<T>(look: (audit: RecordAudit) => Promise<T>): Promise<T>;

  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
