import { orUndefined } from "#core/or-undefined.ts";
import type { RecordStore } from "#ports.ts";

/** The version of the ledger that an anchored receipt names, if it names one. */
export async function ledgerVersionIn(
  { blobTexts }: Pick<RecordStore, "blobTexts">,
  blobId: string,
): Promise<number | undefined> {
  const { text = "null" } = (await blobTexts.find(blobId)) ?? {};
  const receipt = orUndefined(() => JSON.parse(text)) as { evidence?: { ledgerVersion?: unknown } } | null | undefined;
  const version = receipt?.evidence?.ledgerVersion;
  return typeof version === "number" ? version : undefined;
}
