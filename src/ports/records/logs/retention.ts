// Retention: old receipts and decisions are read, exported elsewhere, and removed, in bounded steps.
import type { BreakReason } from "#core/receipt/receipt-status.ts";
import type { RecordedDecision } from "./decisions.ts";

/**
 * Reads and removes what is old. An anchored receipt is never old: somebody was told that it can be verified. A receipt
 * that is still opened has no end yet, and is not old either. The hourly counts stay as they are.
 */
export interface RetentionRecords {
  oldReceipts(page: OldPage): Promise<OldReceipts>;
  /** By time. The newest decision of all is never among them, so that no sequence is used twice. */
  oldDecisions(page: { readonly before: string; readonly limit: number }): Promise<readonly RecordedDecision[]>;
  /** Removes these for ever, in one step. Answers how many there were. A receipt that was anchored meanwhile stays. */
  remove(old: { readonly answerIds?: readonly string[]; readonly sequences?: readonly number[] }): Promise<number>;
  /**
   * Removes lists of names that no receipt and no decision refers to any more, a bounded number. Answers how many. `now`
   * is for stores that several processes write to: they remove a list only an hour after they found it unused.
   */
  removeUnusedLists(now: Date): Promise<number>;
}

export interface OldPage {
  /** Complete receipts, or those whose answer was broken off before they were complete. */
  readonly kind: "complete" | "incomplete";
  /** Created before this time. */
  readonly before: string;
  /** Only answer ids after this one. */
  readonly after?: string;
  /** How many receipts it looks at. */
  readonly scan: number;
}

export interface OldReceipts {
  /** By answer id. */
  readonly receipts: readonly OldReceipt[];
  /** The last answer id that was looked at; absent when there are no further ones. */
  readonly next?: string;
}

export interface OldReceipt {
  readonly answerId: string;
  readonly createdAt: string;
  readonly reason: BreakReason | null;
  /** Names the list of blocked namespaces, when it is kept beside the receipt. */
  readonly blockedDigest: string | null;
  /** The receipt's canonical JSON. */
  readonly body: string;
}
