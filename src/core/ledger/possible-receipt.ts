// Whether the Move module could have made a receipt that says this. A ledger, or a node that speaks for it, may lie.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";

const MAX_NAME_BYTES = 256;
const MAX_BLOB_ID_BYTES = 128;
const MAX_CLAIMS = 64;
const DIGEST_HEX_DIGITS = 64;

/** Which rule of the module it breaks, for people; undefined if none. The order of the claims is a check of its own. */
export function impossibility(receipt: ChainReceipt): string | undefined {
  const { agent, blobId, digest, claimed, allAuthorized, policyVersion, closedAtMs, supersededAtMs } = receipt;
  if (!isWithin(agent, MAX_NAME_BYTES)) return "its agent is no name";
  if (!isWithin(blobId, MAX_BLOB_ID_BYTES)) return "it names no blob";
  if (digest.length !== DIGEST_HEX_DIGITS) return "its digest does not have 32 bytes";
  if (claimed.length > MAX_CLAIMS) return `it claims more than ${MAX_CLAIMS} namespaces`;
  if (!claimed.every((name) => isWithin(name, MAX_NAME_BYTES))) return "one of its claims is no name";
  const isFirst = policyVersion === "0";
  if (isFirst && claimed.length > 0 && allAuthorized) return "version 0 of the policy allows nothing";
  // Releases up to 0.1 closed no versions.
  if (closedAtMs !== undefined && isFirst !== (closedAtMs === 0))
    return isFirst ? "version 0 of the policy was never closed" : "its version of the policy was not closed";
  if (supersededAtMs !== undefined && supersededAtMs < closedAtMs) return "the next version was closed before its own";
  if (supersededAtMs !== undefined && supersededAtMs > receipt.anchoredAtMs)
    return "the next version was closed after the receipt was anchored";
  return undefined;
}

const utf8 = new TextEncoder();

const isWithin = (text: string, maxBytes: number): boolean => text !== "" && utf8.encode(text).length <= maxBytes;
