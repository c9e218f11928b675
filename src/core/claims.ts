import { PortcullisError } from "./errors.ts";
import type { ForeignReceipt } from "./receipt.ts";

/** The Move module evaluates at most so many in one receipt. */
const CLAIMS_AT_MOST = 64;

/**
 * The namespaces that a receipt claims to rest on: those given, or else those of the memories it used. A set, in the
 * order of their UTF-8 bytes, as the ledger wants it: one set of claims has one spelling.
 */
export function claimsOf(receipt: ForeignReceipt, given?: readonly string[]): string[] {
  const claimed = new Set(given ?? receipt.usedMemories.map(({ namespace }) => namespace));
  if (claimed.size > CLAIMS_AT_MOST) {
    const pointer = given === undefined ? "#/receipt/usedMemories" : "#/claimNamespaces";
    const fields = [{ pointer, detail: `must name at most ${CLAIMS_AT_MOST} different namespaces` }];
    throw new PortcullisError("invalid-request", "A receipt cannot claim that many namespaces.", { fields });
  }
  return [...claimed].sort(byUtf8);
}

// UTF-8 sorts as code points do, and JavaScript's own order is that of UTF-16, which differs above U+FFFF.
function byUtf8(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const differs = left.findIndex((character, i) => character !== right[i]);
  if (differs === -1) return left.length - right.length;
  return (left[differs]?.codePointAt(0) ?? 0) - (right[differs]?.codePointAt(0) ?? -1);
}
