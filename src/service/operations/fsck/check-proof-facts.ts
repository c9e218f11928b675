import { factBytes } from "#core/memory.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { FsckContext } from "./context.ts";

/** Checks the facts that are kept for proofs: the blobs that they give, and that receipts on record name them. */
export async function checkProofFacts({ rows, report, blobIdOf }: FsckContext): Promise<void> {
  for await (const { blobId, receipts, ...fact } of rows("proofFact")) {
    const differs = (detail: string) => report("memory", blobId, detail);
    if (receipts === 0) differs("it is kept for receipts, but none names it");
    const bytes = orUndefined(() => factBytes(fact));
    if (bytes === undefined) differs("its fact, which is kept for receipts, has no canonical JSON");
    const derived = bytes && (await blobIdOf?.(bytes, blobId));
    if (derived !== undefined && derived !== blobId)
      differs(`its fact, which is kept for receipts, has the blob ${derived}`);
  }
  for await (const { blobId, answerId, isFact } of rows("strayReference"))
    report("receipt", answerId, isFact ? `${blobId} is kept for it, but it is not on record` : `${blobId} is not kept`);
}
