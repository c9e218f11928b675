// The state of a blob, one word each, the same on every page.
import type { Status } from "#web/ui/status-mark.tsx";

export type BlobState = "intact" | "altered" | "not-reachable";

/** The word, and what it means. */
export const BLOB_STATES: Readonly<Record<BlobState, readonly [status: Status, word: string, meaning: string]>> = {
  intact: ["pass", "intact", "The blob store returned the bytes that were stored."],
  altered: ["fail", "altered", "The blob store returned other bytes than were stored."],
  "not-reachable": ["unknown", "not reachable", "The blob store did not return the blob."],
};

/** From the two flags of the API: the store returned the blob, and its bytes are the ones that were stored. */
export function blobStateOf({ verified, intact }: { readonly verified: boolean; readonly intact: boolean }): BlobState {
  if (!verified) return "not-reachable";
  return intact ? "intact" : "altered";
}
