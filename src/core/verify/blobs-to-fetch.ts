// What a verifier fetches next, given what is certain so far. Server and browser use the same rules. The verifier
// follows no reference from an object that is not ours, or from a blob that was not anchored.
import type { Observation } from "./observation.ts";
import { verifyReceipt } from "./verify-receipt.ts";

/** Our own answers use no more. A foreign receipt may name hundreds; blobs past this limit stay unknown. */
const BLOBS_AT_MOST = 64;

/** The receipt's blob, if the object is a receipt of ours. */
export function receiptBlobToFetch(observation: Observation): string | undefined {
  return verifyReceipt(observation).chain?.blobId;
}

/** The blobs of the used memories, if the receipt's bytes are the ones that were anchored. */
export function memoryBlobsToFetch(observation: Observation): string[] {
  const refs = new Set(verifyReceipt(observation).receipt?.usedMemories.map(({ storeRef }) => storeRef));
  return [...refs].slice(0, BLOBS_AT_MOST);
}
