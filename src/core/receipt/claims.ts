import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ForeignReceipt } from "./receipt.ts";

const utf8 = new TextEncoder();

/** The Move module evaluates at most this many in one receipt. */
const MAX_CLAIMS = 64;
/** Sui takes arguments of less than 16 KiB. */
const MAX_BYTES = 12 * 1024;

/**
 * The namespaces that a receipt claims to rest on: the requested ones, or else those of the used memories. A receipt of
 * the service's own claims both, so that nobody can leave out what it used. A set in the order of UTF-8 bytes, as the
 * ledger requires: so one set of claims has one encoding.
 */
export function claimsOf(
  receipt: Pick<ForeignReceipt, "usedMemories">,
  requested?: readonly string[],
  isOwn = false,
): string[] {
  const used = requested === undefined || isOwn ? receipt.usedMemories.map(({ namespace }) => namespace) : [];
  const claimed = [...new Set([...used, ...(requested ?? [])])].sort(byUtf8);
  if (claimed.length > MAX_CLAIMS || bytesOf(claimed) > MAX_BYTES) {
    const pointer = requested === undefined ? "#/receipt/usedMemories" : "#/claimNamespaces";
    const detail = `must name at most ${MAX_CLAIMS} different namespaces, of ${MAX_BYTES} bytes together`;
    throw new PortcullisError("invalid-request", "A receipt cannot claim that many namespaces.", {
      fields: [{ pointer, detail }],
    });
  }
  return claimed;
}

const bytesOf = (names: readonly string[]): number => utf8.encode(names.join("")).length;
