// What the services need from the world, in their own words. Adapters implement these; compose.ts chooses.
import type { MemoryChange } from "./core/index.ts";
import type { Memory } from "./core/memory.ts";
import type { AccessRule, Policy, VersionedPolicy } from "./core/policy.ts";
import type { Prompt } from "./core/prompt.ts";
import type { ChainReceipt } from "./core/verify.ts";

/** What a store says of a blob that it took. Until which epoch it is kept, and as which object, where it tells. */
export interface StoredBlob {
  readonly blobId: string;
  readonly endEpoch?: number;
  readonly objectId?: string;
}

/** Puts and gets bytes by content. Does not know what a memory or a receipt is, and keeps nothing secret. */
export interface BlobStore {
  /** Stores the bytes. The same bytes always have the same id. */
  put(bytes: Uint8Array, options?: Abortable): Promise<StoredBlob>;
  /** The bytes as the store has them now, or undefined when it says that it has none. Rejects when it does not answer. */
  get(blobId: string, options?: Abortable): Promise<Uint8Array | undefined>;
}

/** The id that a blob of these bytes has in the store, derived here and asked of nobody. May take seconds of work. */
export type DeriveBlobId = (bytes: Uint8Array, signal?: AbortSignal) => Promise<string>;

export interface Abortable {
  readonly signal?: AbortSignal;
}

export interface Completion {
  readonly text: string;
  /** The model that answered, as it names itself. */
  readonly model: string;
}

export interface CompleteOptions extends Abortable {
  /** Called with each piece of the text as it is made; the pieces together are the text. */
  readonly onText?: (piece: string) => void;
}

/** Turns a prompt into an answer. Does not choose what is in the prompt, and sees nothing else. */
export interface LanguageModel {
  /** What it was configured as. */
  readonly name: string;
  complete(prompt: Prompt, options?: CompleteOptions): Promise<Completion>;
}

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

export interface MemoryPage {
  readonly memories: readonly Memory[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: number;
}

export interface IssuedReceipt {
  readonly answerId: string;
  readonly agentId: string;
  readonly createdAt: string;
  /** The receipt's canonical JSON. */
  readonly body: string;
}

/** A receipt whose canonical JSON was stored as a blob. */
export interface BlobAnchor {
  readonly blobId: string;
  readonly digest: string;
  readonly answerId: string;
  /** Whether this service issued the receipt, word for word. */
  readonly issued: boolean;
  readonly anchoredAt: string;
  readonly body: string;
}

/** A receipt to be recorded on the ledger. `claimed` is sorted by UTF-8 bytes and has no repeats. */
export interface ChainAnchorRequest {
  readonly agentId: string;
  readonly blobId: string;
  /** blake2b256 of the blob's bytes, hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly issued: boolean;
}

/** A request that is on record. It stays pending until its outcome is on record too. */
export interface PendingChainAnchor extends ChainAnchorRequest {
  readonly id: number;
}

/** How a request ended: in a frozen receipt on the ledger. */
export interface ChainAnchor extends ChainAnchorRequest {
  readonly receiptId: string;
  readonly txDigest: string;
  readonly allAuthorized: boolean;
  /** The ledger's own version of the policy, under which the claims were evaluated. */
  readonly ledgerVersion: string;
  readonly anchoredAt: string;
}

/** Which request ended how. */
export interface ChainOutcome extends Omit<ChainAnchor, keyof ChainAnchorRequest> {
  readonly id: number;
}

/** A transaction that was signed, recorded before it was sent: after a crash the same bytes are sent again. */
export interface SignedTransaction {
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signature: string;
  /** The requests that it anchors, in the order of its calls. */
  readonly requests: readonly number[];
}

/** A transaction of the local ledger, enough to execute it again with the same outcome. */
export interface LoggedTransaction {
  /** Its place in the ledger, from 1. A place that is taken is refused: another process writes to the same log. */
  readonly sequence: number;
  readonly txDigest: string;
  readonly bytes: Uint8Array;
  readonly signatures: readonly string[];
  readonly timestampMs: number;
}

/** What a ledger holds under an id, as it gave it. Nothing in it has been checked. */
export interface LedgerObject {
  readonly objectId: string;
  /** The Move type, `<package>::<module>::<name>`, addresses in full length. */
  readonly type: string;
  readonly isFrozen: boolean;
  /** The BCS of the Move struct. */
  readonly content: Uint8Array;
  readonly previousTransaction: string | null;
  /** The content decoded as a receipt, when the type is one of ours by name; of which package, `type` says. */
  readonly receipt?: ChainReceipt;
}

/**
 * Records receipts where nobody can change them, and keeps its own copy of the policy to judge their claims by.
 * Does not store blobs, and does not decide what an agent may use.
 */
export interface Ledger {
  /** `local`, or the network's name. */
  readonly network: string;
  /** The package whose receipts are ours. */
  packageId(): Promise<string>;
  /** Records the receipt. The same request under the same policy gives the same result and records nothing more. */
  anchor(request: PendingChainAnchor): Promise<ChainAnchor>;
  /** Finishes what an earlier process began. Answers with how many anchors that were. */
  recover(): Promise<number>;
  /** The object as the ledger has it, or undefined when it has none. Rejects when it does not answer. */
  find(objectId: string): Promise<LedgerObject | undefined>;
  /** Where a person can look at a transaction. */
  explorerUrl(txDigest: string): string;
  /** How many leaves of the policy the ledger has otherwise than we do, and whether the next anchor will mend that. */
  drift(): Promise<{ readonly leaves: number; readonly isOursToMend: boolean }>;
  close(): Promise<void>;
}

/** A transaction of the local ledger, decoded and as BCS (base64). Numbers of 64 bits are strings, bytes hex. */
export interface BookTransaction extends BookEntry {
  readonly calls: readonly { readonly function: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string; readonly fields: unknown; readonly bcs: string }[];
  readonly changedObjects: readonly {
    readonly objectId: string;
    readonly type: string;
    readonly change: "created" | "changed" | "deleted";
    readonly version: string;
  }[];
  readonly signatures: readonly string[];
  readonly bcs: string;
}

export interface BookEntry {
  readonly sequence: number;
  readonly digest: string;
  readonly sender: string;
  readonly timestampMs: number;
  readonly status: { readonly success: boolean; readonly error: unknown };
  /** How often it calls which function. */
  readonly functions: Readonly<Record<string, number>>;
}

/** An object of the local ledger, decoded and as BCS (base64). */
export interface BookObject {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
  readonly owner: unknown;
  readonly type: string;
  readonly previousTransaction: string;
  readonly fields: unknown;
  /** The Move struct alone. */
  readonly content: string;
  readonly bcs: string;
}

/** What the local ledger holds, for anyone to read. On Sui, any full node is asked instead. */
export interface LedgerBook {
  readObject(objectId: string): Promise<BookObject | undefined>;
  readTransaction(digest: string): Promise<BookTransaction | undefined>;
  /** Newest first. */
  recentTransactions(page: { readonly before?: number; readonly limit: number }): Promise<BookPage>;
}

export interface BookPage {
  readonly transactions: readonly BookEntry[];
  readonly next?: number;
}

/** How long a store keeps a blob, as of when we last stored it. */
export interface BlobLease {
  readonly blobId: string;
  readonly endEpoch: number;
  readonly objectId?: string;
  readonly storedAt: string;
}

/** Who changed something, and when. */
export interface Stamp {
  readonly by: string;
  readonly at: string;
}

/** A change of one leaf of the policy. Null: there was, or is, no leaf. */
export interface PolicyChange extends Stamp {
  readonly version: number;
  readonly agentId: string;
  readonly namespace: string;
  readonly from: boolean | null;
  readonly to: boolean | null;
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
  /** Newest first, from `before` (exclusive) on. */
  listMemories(page: { readonly before?: number; readonly limit: number }): Promise<MemoryPage>;
  addMemory(memory: Memory, lease?: BlobLease): Promise<void>;

  policy(): Promise<VersionedPolicy>;
  /** Sets one leaf. Setting what is already so changes nothing, the version included. */
  setAccess(rule: AccessRule, stamp: Stamp): Promise<VersionedPolicy>;
  /** The change log, newest first. */
  policyChanges(limit: number): Promise<PolicyChange[]>;

  addReceipt(receipt: IssuedReceipt): Promise<void>;
  /** Whether a receipt with this id and this canonical JSON, word for word, was issued here. */
  isIssued(answerId: string, body: string): Promise<boolean>;
  /** Anchoring the same blob again changes nothing. */
  addAnchor(anchor: BlobAnchor, lease?: BlobLease): Promise<void>;
  anchors(page: { readonly after?: string; readonly limit: number }): Promise<BlobAnchor[]>;

  /** Puts a request on record. One that is pending already is not put there twice. */
  requestChainAnchor(request: ChainAnchorRequest, at: string): Promise<PendingChainAnchor>;
  /** The requests whose outcome is not on record, oldest first. */
  pendingChainAnchors(): Promise<PendingChainAnchor[]>;
  /** Recorded before a transaction is sent. One that was refused may be built again, byte for byte, and is open again. */
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

  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
