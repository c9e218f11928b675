import type { BlobAnchor } from "./anchors.ts";
import type { ChainAnchor } from "./chain-anchors.ts";
import type { Decision } from "./logs/decisions.ts";
import type { PageOf } from "./paging.ts";

export interface ReceiptRecords {
  /** Records the receipt and, in the same step, the row of the decision log. */
  add(receipt: IssuedReceipt, decision?: Decision): Promise<void>;
  /** Whether a receipt with this id and exactly this canonical JSON was issued here. */
  isIssued(answerId: string, body: string): Promise<boolean>;
  find(answerId: string): Promise<RecordedReceipt | undefined>;
  /** By answer id, greatest first. Ids begin with the time. */
  page(page: PageOf<string> & ReceiptFilter): Promise<ReceiptPage>;
  /** Of a list that was kept with a receipt or a decision: the names after this one, in UTF-8 order. Empty when it is not on record. */
  blockedPage(page: { readonly digest: string; readonly after?: string; readonly limit: number }): Promise<string[]>;
  /** From the hour `since` (`2026-01-02T03`) on, oldest first. Hours without answers are left out. */
  byHour(since: string): Promise<readonly HourOfAnswers[]>;
}

export interface IssuedReceipt {
  readonly answerId: string;
  readonly agentId: string;
  readonly createdAt: string;
  /** The used and the blocked ones, without repeats. Without the blocked ones when `blockedList` has them. */
  readonly namespaces: readonly string[];
  /** All blocked namespaces, when the receipt does not list them all. The store keeps each list once. */
  readonly blockedList?: { readonly digest: string; readonly namespaces: readonly string[] };
  /** How many memories it used, and how many of them were verified, and intact, when it was issued. */
  readonly used: number;
  readonly verified: number;
  readonly intact: number;
  /** The receipt's canonical JSON. */
  readonly body: string;
}

/** Which receipts a page may hold. A field that is left out lets all pass. */
export interface ReceiptFilter {
  readonly agentId?: string;
  /** Used, or blocked. */
  readonly namespace?: string;
  /** Whether it was stored as a blob. */
  readonly anchored?: boolean;
  /** Whether every used memory was verified and intact. */
  readonly verified?: boolean;
}

/** A receipt that was issued, and its anchors. */
export interface RecordedReceipt {
  /** The receipt's canonical JSON. */
  readonly body: string;
  /** The newest one, when it was stored in several stores. */
  readonly anchor: Pick<BlobAnchor, "blobId" | "anchoredAt"> | null;
  /** Oldest first, and only the last 20: anybody may anchor a receipt again with other claims. */
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
  /** The first characters of their `createdAt`: `2026-01-02T03`. */
  readonly hour: string;
  readonly answers: number;
}
