// What the services need from the world, in their own words. Adapters implement these; compose.ts chooses.
import type { MemoryChange } from "./core/index.ts";
import type { Memory } from "./core/memory.ts";
import type { AccessRule, Policy, VersionedPolicy } from "./core/policy.ts";
import type { Prompt } from "./core/prompt.ts";

/** Puts and gets bytes by content. Does not know what a memory or a receipt is, and keeps nothing secret. */
export interface BlobStore {
  /** Stores the bytes and answers with their blob id. The same bytes always have the same id. */
  put(bytes: Uint8Array): Promise<string>;
  /** The bytes as the store has them now, or undefined when it does not have them or does not answer in time. */
  get(blobId: string): Promise<Uint8Array | undefined>;
}

/** Turns a prompt into an answer. Does not choose what is in the prompt, and sees nothing else. */
export interface LanguageModel {
  readonly name: string;
  complete(prompt: Prompt): Promise<string>;
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
  readonly digest: string;
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
  addMemory(memory: Memory): Promise<void>;

  policy(): Promise<VersionedPolicy>;
  /** Sets one leaf. Setting what is already so changes nothing, the version included. */
  setAccess(rule: AccessRule, stamp: Stamp): Promise<VersionedPolicy>;
  /** The change log, newest first. */
  policyChanges(limit: number): Promise<PolicyChange[]>;

  addReceipt(receipt: IssuedReceipt): Promise<void>;
  /** Whether a receipt with this id and this digest was issued here. */
  isIssued(answerId: string, digest: string): Promise<boolean>;
  /** Anchoring the same blob again changes nothing. */
  addAnchor(anchor: BlobAnchor): Promise<void>;
  anchors(page: { readonly after?: string; readonly limit: number }): Promise<BlobAnchor[]>;

  /** Forgets every memory, then remembers these, and makes this the policy, in one step. Receipts and anchors stay. */
  reset(memories: readonly Memory[], policy: Policy, stamp: Stamp): Promise<void>;

  /** Rejects when the store cannot answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
