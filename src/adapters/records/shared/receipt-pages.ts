// Pages of receipts, newest first. They are found in the narrow rows of the table `answers`, within a scan budget.
import type { PageOf, ReceiptFilter, ReceiptPage, RecordedReceipt } from "#ports.ts";

export type ReceiptQuery = PageOf<string> & ReceiptFilter;

/** Sorts after every answer id. */
export const LAST_ID = "\u{10ffff}";

/** What the scan went through. */
export interface Scanned {
  readonly count: number;
  /** The smallest answer id; null when there was none. */
  readonly last: string | null;
}

/** `found` has up to one receipt more than the limit, and the scan is asked about only when it has not. */
export function toReceiptPage(
  found: readonly { readonly answerId: string }[],
  receipts: readonly RecordedReceipt[],
  { limit, scan }: { readonly limit: number; readonly scan: number },
  scanned: () => Scanned,
): ReceiptPage {
  if (found.length > limit) return { receipts, next: found[limit - 1]?.answerId ?? "" };
  const { count, last } = scanned();
  return count === scan && last !== null ? { receipts, next: last } : { receipts };
}
