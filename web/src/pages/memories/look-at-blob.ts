// Is a memory's blob still there, and is it still what is on record? Looked at by this browser, at the aggregator.
import { digestHex } from "#core/encoding/digest.ts";
import { factBytes, type Memory } from "#core/memory.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";
import { fetchBlob } from "#web/pages/verify/look/blob.ts";

export interface Digests {
  /** The digest that the record has. */
  readonly recorded: string;
  /** Of the bytes that the store gave. */
  readonly stored: string;
  /** Of the fact as it is shown here. */
  readonly shown: string;
}

export type BlobLook =
  | { readonly outcome: "intact" | "differs"; readonly digests: Digests }
  | { readonly outcome: "missing" | "no-answer" };

export async function lookAtBlob(memory: Memory, aggregator: string, signal: AbortSignal): Promise<BlobLook> {
  return judge(memory, await fetchBlob(aggregator, memory.storeRef, signal));
}

/** Intact: the bytes are the fact's canonical ones, and the digest on record is theirs. */
export function judge(memory: Memory, fetched: FetchedBlob): BlobLook {
  if (fetched === "missing") return { outcome: "missing" };
  if (fetched === "unreachable") return { outcome: "no-answer" };
  const bytes = factBytes(memory);
  const digests = { recorded: memory.contentDigest, stored: digestHex(fetched), shown: digestHex(bytes) };
  const isIntact = sameBytes(bytes, fetched) && digests.stored === digests.recorded;
  return { outcome: isIntact ? "intact" : "differs", digests };
}

const sameBytes = (one: Uint8Array, other: Uint8Array): boolean =>
  one.byteLength === other.byteLength && one.every((byte, place) => byte === other[place]);
