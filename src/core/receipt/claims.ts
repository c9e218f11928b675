import { PortcullisError } from "#core/errors.ts";
import type { ForeignReceipt } from "./receipt.ts";

const utf8 = new TextEncoder();

/** The Move module evaluates at most this many in one receipt. */
const MAX_CLAIMS = 64;
/** Sui takes arguments of less than 16 KiB. */
const MAX_BYTES = 12 * 1024;

/**
 * The namespaces that a receipt claims to rest on: the requested ones, or else those of the used memories. A set in the
 * order of UTF-8 bytes, as the ledger requires: so one set of claims has one encoding.
 */
export function claimsOf(receipt: ForeignReceipt, requested?: readonly string[]): string[] {
  const claimed = new Set(requested ?? receipt.usedMemories.map(({ namespace }) => namespace));
  const bytes = utf8.encode([...claimed].join("")).length;
  if (claimed.size > MAX_CLAIMS || bytes > MAX_BYTES) {
    const pointer = requested === undefined ? "#/receipt/usedMemories" : "#/claimNamespaces";
    const detail = `must name at most ${MAX_CLAIMS} different namespaces, of ${MAX_BYTES} bytes together`;
    throw new PortcullisError("invalid-request", "A receipt cannot claim that many namespaces.", {
      fields: [{ pointer, detail }],
    });
  }
  return [...claimed].sort(byUtf8);
}

// UTF-8 sorts like code points. JavaScript sorts by UTF-16 code units, which differs above U+FFFF.
function byUtf8(a: string, b: string): number {
  const [left, right] = [Array.from(a), Array.from(b)];
  const differs = left.findIndex((character, i) => character !== right[i]);
  if (differs === -1) return left.length - right.length;
  return (left[differs]?.codePointAt(0) ?? 0) - (right[differs]?.codePointAt(0) ?? -1);
}
