// Where a verifier looks next, from what is certain so far: a server and a browser go the same way. What is not ours,
// or not what was anchored, sends nobody anywhere.
import { type Seen, verifyReceipt } from "./verify-receipt.ts";

/** An answer of ours uses no more. A foreign receipt may name hundreds, and what is not looked at is not known. */
const BLOBS_AT_MOST = 64;

/** The receipt's blob, once the object is a receipt of ours. */
export function blobToSee(seen: Seen): string | undefined {
  return verifyReceipt(seen).chain?.blobId;
}

/** The blobs of the used memories, once the receipt's bytes are the ones that were anchored. */
export function memoriesToSee(seen: Seen): string[] {
  const refs = new Set(verifyReceipt(seen).receipt?.usedMemories.map(({ storeRef }) => storeRef));
  return [...refs].slice(0, BLOBS_AT_MOST);
}
