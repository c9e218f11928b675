// What both databases share about the removal of old receipts and decisions.
import type { OldReceipt, OldReceipts } from "#ports.ts";

/** Names of a list are removed with it. A list has up to as many names as there are namespaces. */
export const LISTS_AT_ONCE = 10;
/** A page of old receipts has about this many characters at most. */
const OLD_CHARACTERS = 2_000_000;

export interface ScannedReceipt {
  readonly answerId: string;
  readonly createdAt: string;
  readonly isKept: number;
}

/** Answer ids begin with the time, so behind a receipt that is not old there are no old ones. */
export function cutAtFirstYoung(
  scanned: readonly ScannedReceipt[],
  { before, scan }: { readonly before: string; readonly scan: number },
): { readonly old: readonly string[]; readonly next?: string } {
  const young = scanned.findIndex(({ createdAt }) => createdAt >= before);
  const passed = young === -1 ? scanned : scanned.slice(0, young);
  const old = passed.filter(({ isKept }) => isKept === 0).map(({ answerId }) => answerId);
  const last = scanned.at(-1);
  return young === -1 && scanned.length === scan && last !== undefined ? { old, next: last.answerId } : { old };
}

/** The first receipts, up to a number of characters, and at least one. The next page goes on behind the last of them. */
export function cutToSize({ receipts, next }: OldReceipts): OldReceipts {
  let characters = 0;
  const taken: OldReceipt[] = [];
  for (const receipt of receipts) {
    characters += receipt.body.length;
    const last = taken.at(-1);
    if (characters > OLD_CHARACTERS && last !== undefined) return { receipts: taken, next: last.answerId };
    taken.push(receipt);
  }
  return next === undefined ? { receipts } : { receipts, next };
}
