// What the records show, page by page.
import type { Memory } from "#core/memory.ts";
import type { BlobAnchor, ChainAnchor } from "./anchors.ts";

/** Which memories a page may hold. What is left out lets all pass. */
export interface MemoryFilter {
  /** In one of these. */
  readonly namespaces?: readonly string[];
  readonly sourceAgent?: string;
  /** The content contains this; ASCII letters match in either case, all else exactly. */
  readonly contains?: string;
}

/**
 * A bounded read, newest first. At most about `scan` rows are looked at; a page that ended for that reason is short, even
 * empty, and says where to go on. Left out: as many as it takes.
 */
export interface PageOf<Position> {
  /** Exclusive. */
  readonly before?: Position;
  readonly limit: number;
  readonly scan?: number;
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
  /** Those that it used or that were blocked, none twice. */
  readonly namespaces: readonly string[];
  /** How many memories it used, and how many of them were verified, and intact, when it was issued. */
  readonly used: number;
  readonly verified: number;
  readonly intact: number;
  /** The receipt's canonical JSON. */
  readonly body: string;
}

/** Which receipts a page may hold. What is left out lets all pass. */
export interface ReceiptFilter {
  readonly agentId?: string;
  /** Used, or blocked. */
  readonly namespace?: string;
  /** Whether it was stored as a blob. */
  readonly anchored?: boolean;
  /** Whether every used memory was verified and intact. */
  readonly verified?: boolean;
}

/** A receipt that was issued, and what became of it. */
export interface RecordedReceipt {
  /** The receipt's canonical JSON. */
  readonly body: string;
  /** The last one, when it was stored in several stores. */
  readonly anchor: Pick<BlobAnchor, "blobId" | "anchoredAt"> | null;
  /** Oldest first. */
  readonly chain: readonly Pick<ChainAnchor, "receiptId" | "txDigest" | "allAuthorized" | "claimed" | "anchoredAt">[];
  /** How many requests for the ledger have no outcome yet. */
  readonly pending: number;
}

export interface ReceiptPage {
  readonly receipts: readonly RecordedReceipt[];
  /** The answer id before which the next page begins; absent on the last one. */
  readonly next?: string;
}

/** The answers of one hour. */
export interface HourOfAnswers extends Pick<IssuedReceipt, "used" | "verified" | "intact"> {
  /** The beginning of their `createdAt`: `2026-01-02T03`. */
  readonly hour: string;
  readonly answers: number;
}

export interface MemoryCounts {
  readonly byNamespace: ReadonlyMap<string, number>;
  readonly bySourceAgent: ReadonlyMap<string, number>;
}

export interface AnchorCounts {
  readonly blobs: number;
  readonly onLedger: number;
  readonly pending: number;
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

/** A place in the change log. A version is never added to, so counting its leaves is safe. */
export interface ChangePosition {
  readonly version: number;
  /** How many of the version's leaves come before this place. */
  readonly leaves: number;
}

export interface PolicyChangePage {
  readonly changes: readonly PolicyChange[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: ChangePosition;
}
