import { orUndefined } from "#core/or-undefined.ts";
import type { RecordStore } from "#ports.ts";

interface Stated {
  readonly ledgerVersion?: unknown;
}

/** The version of the ledger that an anchored receipt names, if it names one. */
export async function ledgerVersionIn(
  { blobTexts }: Pick<RecordStore, "blobTexts">,
  blobId: string,
): Promise<number | undefined> {
  const text = (await blobTexts.find(blobId)) ?? "null";
  const receipt = orUndefined(() => JSON.parse(text)) as (Stated & { evidence?: Stated }) | null | undefined;
  // In a sealed receipt it is not in the evidence.
  const version = (receipt?.evidence ?? receipt)?.ledgerVersion;
  return typeof version === "number" ? version : undefined;
}
