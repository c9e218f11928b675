// Pages of receipts, newest first. They are found in the narrow rows of the view `listed_receipts`, within a scan budget.
import type { BreakReason, ReceiptStatus } from "#core/receipt/receipt-status.ts";
import type { PageOf, ReceiptFilter, ReceiptPage, RecordedReceipt } from "#ports.ts";

export type ReceiptQuery = PageOf<string> & ReceiptFilter;

/** Sorts after every answer id. */
export const LAST_ID = "\u{10ffff}";

/** How many receipts one step marks as abandoned. */
export const ABANDONED_AT_ONCE = 1_000;
/** Opened receipts are counted up to this number. */
export const MOST_COUNTED = 10_000;

/** Whether a row of a receipt is of a complete one, and why its answer was broken off. */
export interface EndOfAnswer {
  readonly isComplete: boolean;
  readonly reason: BreakReason | null;
}

export function statusOf({ isComplete, reason }: EndOfAnswer): { status: ReceiptStatus; reason?: BreakReason } {
  if (reason !== null) return { status: "broken-off", reason };
  return { status: isComplete ? "issued" : "opened" };
}

/** What the scan went through. */
export interface Scanned {
  readonly count: number;
  /** The smallest answer id; null when there was none. */
  readonly last: string | null;
}

/**
 * Of a row of `anchors` whose receipt was issued here: whether it is the sealed form, which has commitments at its top and
 * no memories. `member` gives the SQL of a member of the body, which is NULL when there is none.
 */
export const isSealedAnchor = (member: (name: string) => string): string =>
  `(${member("commitments")} IS NOT NULL AND ${member("usedMemories")} IS NULL)`;

/** Of the anchors of one receipt on the ledger, a page shows this many. */
export const MOST_CHAIN_ANCHORS = 20;

/**
 * `found` has up to one receipt more than the limit, and `receipts` are the first of them: fewer than the limit when
 * others would have been too large. The scan is asked about only when nothing was left out.
 */
export function toReceiptPage(
  found: readonly { readonly answerId: string }[],
  receipts: readonly RecordedReceipt[],
  { limit, scan }: { readonly limit: number; readonly scan: number },
  scanned: () => Scanned,
): ReceiptPage {
  const shown = Math.min(limit, receipts.length);
  if (found.length > shown) return { receipts, next: found[shown - 1]?.answerId ?? "" };
  const { count, last } = scanned();
  return count === scan && last !== null ? { receipts, next: last } : { receipts };
}
