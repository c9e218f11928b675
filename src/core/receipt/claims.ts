import { PortcullisError } from "#core/errors.ts";
import type { ForeignReceipt } from "./receipt.ts";

const utf8 = new TextEncoder();

/** The Move module evaluates at most so many in one receipt. */
const CLAIMS_AT_MOST = 64;
/** Sui takes arguments of less than 16 KiB. */
const BYTES_AT_MOST = 12 * 1024;

/**
 * The namespaces that a receipt claims to rest on: those given, or else those of the memories it used. A set, in the
 * order of their UTF-8 bytes, as the ledger wants it: one set of claims has one spelling.
 */
export function claimsOf(receipt: ForeignReceipt, given?: readonly string[]): string[] {
  const claimed = new Set(given ?? receipt.usedMemories.map(({ namespace }) => namespace));
  const bytes = utf8.encode([...claimed].join("")).length;
  if (claimed.size > CLAIMS_AT_MOST || bytes > BYTES_AT_MOST) {
    const pointer = given === undefined ? "#/receipt/usedMemories" : "#/claimNamespaces";
    const detail = `must name at most ${CLAIMS_AT_MOST} different namespaces, of ${BYTES_AT_MOST} bytes together`;
    throw new PortcullisError("invalid-request", "A receipt cannot claim that many namespaces.", {
      fields: [{ pointer, detail }],
    });
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
