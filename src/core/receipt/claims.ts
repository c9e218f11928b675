import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ForeignReceipt } from "./receipt.ts";

const utf8 = new TextEncoder();

/** The Move module evaluates at most this many in one receipt. */
const MAX_CLAIMS = 64;
/** Sui takes arguments of less than 16 KiB. */
const MAX_BYTES = 12 * 1024;

/**
 * The namespaces that a receipt claims to rest on: those of the used memories when none are requested, else the requested
 * ones. A receipt that was issued here claims both, so that nobody can leave out what it used. A set in the order of UTF-8 bytes, as the ledger requires: so one set of claims has one encoding. An answer may use namespaces
 * whose names are too long together. Then the last ones are not claimed, and the verifier says so.
 */
export function claimsOf(
  receipt: Pick<ForeignReceipt, "usedMemories">,
  requested?: readonly string[],
  isIssued = false,
): string[] {
  const used = requested === undefined || isIssued ? receipt.usedMemories.map(({ namespace }) => namespace) : [];
  const claimed = [...new Set([...used, ...(requested ?? [])])].sort(byUtf8);
  const fitting = requested === undefined ? withinBytes(claimed) : claimed;
  if (claimed.length > MAX_CLAIMS || bytesOf(fitting) > MAX_BYTES) {
    const pointer = requested === undefined ? "#/receipt/usedMemories" : "#/claimNamespaces";
    const detail = `must name at most ${MAX_CLAIMS} different namespaces, of ${MAX_BYTES} bytes together`;
    throw new PortcullisError("invalid-request", "A receipt cannot claim that many namespaces.", {
      fields: [{ pointer, detail }],
    });
  }
  return fitting;
}

const bytesOf = (names: readonly string[]): number => utf8.encode(names.join("")).length;

function withinBytes(names: readonly string[]): string[] {
  let bytes = 0;
  return names.filter((name) => {
    bytes += bytesOf([name]);
    return bytes <= MAX_BYTES;
  });
}
