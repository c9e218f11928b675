import { factBytes } from "#core/memory.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { FsckContext } from "#service/operations/fsck/context.ts";

/** Checks the facts that are kept for proofs: the blobs that they give, and that a receipt on record names them. */
export async function checkProofFacts({ rows, report, blobIdOf }: FsckContext): Promise<void> {
  for await (const { blobId, lastNamed, isNamed, ...fact } of rows("proofFact")) {
    const differs = (detail: string) => report("memory", blobId, `its fact, which is kept for receipts, ${detail}`);
    if (isNamed !== 1) differs(`is named by ${lastNamed} at last, which is not on record`);
    const bytes = orUndefined(() => factBytes(fact));
    if (bytes === undefined) differs("has no canonical JSON");
    const derived = bytes && (await blobIdOf?.(bytes, blobId));
    if (derived !== undefined && derived !== blobId) differs(`has the blob ${derived}`);
  }
}
