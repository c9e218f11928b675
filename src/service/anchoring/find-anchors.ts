import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";

/** Whoever may anchor a receipt may do so again, with other claims. The first ones are listed. */
const MOST_FOUND = 20;

/**
 * Finds the anchors of a receipt by any id that its holder may have. A receipt that is not anchored does not exist here:
 * only tables of anchors are read, and always by the same look-ups.
 */
export async function findAnchors({ records }: Pick<Deps, "records">, id: string) {
  const { blobs, onLedger } = await records.anchors.find(fullAddress(id) ?? id, MOST_FOUND + 1);
  if (blobs.length + onLedger.length === 0) throw new PortcullisError("not-found", "No anchored receipt has this id.");
  return {
    anchors: [
      ...onLedger.slice(0, MOST_FOUND).map((anchor) => ({ kind: "ledger" as const, ...anchor })),
      ...blobs.slice(0, MOST_FOUND).map((anchor) => ({ kind: "blob" as const, issued: true, ...anchor })),
    ],
    more: onLedger.length > MOST_FOUND || blobs.length > MOST_FOUND,
  };
}
