import { isDerivedBlobId } from "#core/blob-id.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { type Check, fail, pass, unknown } from "#core/verify/check.ts";

/** In a deep verification the blob store is not trusted either: each id must follow from the bytes fetched under it. */
export function checkDerivedIds(
  chain: ChainReceipt | undefined,
  receipt: ForeignReceipt | undefined,
  derivedIds: ReadonlyMap<string, string> | undefined,
): Check[] {
  if (derivedIds === undefined) return [];
  const named = [chain?.blobId, ...(receipt?.usedMemories.map(({ storeRef }) => storeRef) ?? [])];
  return [...new Set(named)].map((expected) => checkId(expected, derivedIds));
}

const NO_RULE = "Not checked: the store’s ids do not follow from the bytes by a rule that this verifier knows.";

function checkId(expected: string | undefined, derivedIds: ReadonlyMap<string, string>): Check {
  if (expected !== undefined && !isDerivedBlobId(expected)) return unknown("id", "id-unknown", NO_RULE);
  const actual = expected === undefined ? undefined : derivedIds.get(expected);
  if (expected === undefined || actual === undefined)
    return unknown("id", "id-unknown", "Not checked: the blob’s id could not be derived from its bytes.");
  const compared = { expected, actual };
  return actual === expected
    ? pass("id", "The blob’s id follows from its bytes: not even the blob store has to be trusted.", compared)
    : fail(
        "id",
        "id-differs",
        "The blob’s id does not follow from its bytes: they are not what was stored under it.",
        compared,
      );
}
