// In mock mode this service is the blob store. A blob's id confirms a guess of its bytes, so that whoever may not read a
// blob learns nothing about it, not even that it exists.
import { mayRead } from "#core/identity/permissions.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import type { Deps } from "#service/deps.ts";
import type { Quoted } from "#service/policy/fenced-read.ts";

export interface ReadableBlob {
  readonly bytes: Uint8Array;
  /** Anyone may have it. */
  readonly isPublic: boolean;
  /** The memory that it is of, if it is of one. */
  readonly quoted: readonly Quoted[];
}

/** The blob, if the caller may have it now. It must leave behind the fence: its memory may be forgotten at any moment. */
export async function readableBlob(
  { blobs, records, gatekeeper }: Deps,
  principal: Principal,
  blobId: string,
): Promise<ReadableBlob | undefined> {
  const isPublic = principal.id === OPEN.id || (await records.anchors.isPublished(blobId));
  // The store may still have what was forgotten a moment ago, in this process or another. The records decide.
  const found = await records.blobTexts.find(blobId);
  const policy = principal.role === "agent" ? await gatekeeper.policyOf(principal.agentId) : undefined;
  if (found === undefined) return undefined;
  const { text, namespace, memoryId, expiresAt } = found;
  // The database's clock says whether it has expired.
  if (memoryId !== undefined && expiresAt !== undefined && (await records.memories.find(memoryId)) === undefined)
    return undefined;
  const quoted = namespace === undefined ? [] : [{ namespace, isPublic, ...quotable(memoryId, expiresAt) }];
  if (isPublic || principal.role === "admin") {
    const bytes = await blobs.get(blobId);
    return bytes instanceof Uint8Array ? { bytes, isPublic, quoted } : undefined;
  }
  if (namespace === undefined || !mayRead(principal, namespace, policy)) return undefined;
  return { bytes: new TextEncoder().encode(text), isPublic: false, quoted };
}

const quotable = (memoryId: string | undefined, expiresAt: string | undefined) => ({
  ...(memoryId !== undefined && { memoryId }),
  ...(expiresAt !== undefined && { expiresAt }),
});
