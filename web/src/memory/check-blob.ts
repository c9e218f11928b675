// Checks in this browser whether the blob store still has a memory's blob, and whether its bytes are the recorded ones.
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes, type Memory } from "#core/memory.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import { fetchBlob } from "#web/api/blob-store.ts";

export interface Digests {
  /** The digest on record. */
  readonly recorded: string;
  /** The digest of the bytes that the blob store returned. */
  readonly stored: string;
  /** The digest of the memory as it is shown here. */
  readonly shown: string;
}

export type BlobCheckResult =
  | { readonly state: "intact" | "altered"; readonly digests: Digests }
  | { readonly state: "not-reachable"; readonly why: "missing" | "unreachable" };

export async function checkBlob(memory: Memory, aggregator: string, signal: AbortSignal): Promise<BlobCheckResult> {
  return compareBlob(memory, await fetchBlob(aggregator, memory.storeRef, signal, { asCaller: true }));
}

/**
 * A blob is intact when its bytes are the memory's canonical ones and the digest on record is theirs. Of an encrypted
 * memory only the digest can be compared.
 */
export function compareBlob(memory: Memory, fetched: FetchedBlob): BlobCheckResult {
  if (typeof fetched === "string") return { state: "not-reachable", why: fetched };
  const bytes = factBytes(memory);
  const recorded = memory.contentDigest;
  const digests = { recorded, stored: digestHex(fetched), shown: memory.encrypted ? recorded : digestHex(bytes) };
  const isIntact = (memory.encrypted || sameBytes(bytes, fetched)) && digests.stored === recorded;
  return { state: isIntact ? "intact" : "altered", digests };
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, index) => byte === other[index]);
