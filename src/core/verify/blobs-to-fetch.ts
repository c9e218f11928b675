// What a verifier fetches next, given what is certain so far. Server and browser use the same rules. The verifier
// follows no reference from an object that is not ours, or from a blob that was not anchored.

import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { checkBlob, checkDigest, checkReceiptText } from "./checks/blob.ts";
import { checkObject } from "./checks/object.ts";
import type { Observation } from "./observation.ts";

/** Our own answers use no more. A foreign receipt may name hundreds; blobs past this limit stay unknown. */
const BLOBS_AT_MOST = 64;

/** The gate and the receipt's blob, if the object is a receipt of ours. */
export function namedByObject(
  observation: Observation,
): { readonly gate: string; readonly blobId: string } | undefined {
  const { receipt } = checkObject(observation);
  return receipt && { gate: receipt.gate, blobId: receipt.blobId };
}

/** The blobs of the used memories, if the receipt's bytes are the ones that were anchored. */
export function memoryBlobsToFetch(observation: Observation): string[] {
  const refs = new Set(usedMemoriesIn(observation).map(({ storeRef }) => storeRef));
  return [...refs].slice(0, BLOBS_AT_MOST);
}

/** The ids of the used memories whose blobs are missing: the service may have a tombstone. */
export function tombstonesToFetch(observation: Observation): string[] {
  const missing = usedMemoriesIn(observation).filter(
    ({ storeRef }) => observation.memories.get(storeRef) === "missing",
  );
  const ids = missing.flatMap((memory) => ("memoryId" in memory ? String(memory.memoryId) : []));
  return [...new Set(ids)].filter((id) => MEMORY_ID.test(id)).slice(0, BLOBS_AT_MOST);
}

const MEMORY_ID = /^[\w-]{1,64}$/;

function usedMemoriesIn(observation: Observation): ForeignReceipt["usedMemories"] {
  const chain = checkObject(observation).receipt;
  const { bytes } = checkBlob(chain, observation.blob);
  if (checkDigest(chain, bytes).status !== "pass") return [];
  return checkReceiptText(bytes).receipt?.usedMemories ?? [];
}
