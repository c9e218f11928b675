// In mock mode this service is the blob store. A blob's id confirms a guess of its bytes, so that whoever may not read a
// blob learns nothing about it, not even that it exists.
import { mayRead } from "#core/identity/permissions.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import type { Fact } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";

export interface ReadableBlob {
  readonly bytes: Uint8Array;
  /** Anyone may have it. */
  readonly isPublic: boolean;
  /** For what is not public: the namespace of the memory. */
  readonly namespaces: readonly string[];
}

/** The blob, if the caller may have it now. What an agent gets must leave behind the fence. */
export async function readableBlob(
  { blobs, records, gatekeeper }: Deps,
  principal: Principal,
  blobId: string,
): Promise<ReadableBlob | undefined> {
  const isPublic = principal.id === OPEN.id || (await records.anchors.isPublished(blobId));
  if (isPublic || principal.role === "admin") {
    const bytes = await blobs.get(blobId);
    return bytes instanceof Uint8Array ? { bytes, isPublic, namespaces: [] } : undefined;
  }
  if (principal.role !== "agent" && principal.role !== "namespace-admin") return undefined;
  const text = await records.blobTexts.findCurrent(blobId);
  const policy = principal.role === "agent" ? await gatekeeper.policyOf(principal.agentId) : undefined;
  const namespace = namespaceOf(text);
  if (text === undefined || namespace === undefined) return undefined;
  const isReadable = mayRead(principal, namespace, policy);
  return isReadable ? { bytes: new TextEncoder().encode(text), isPublic: false, namespaces: [namespace] } : undefined;
}

/** Of a memory's blob; undefined for a receipt's. */
function namespaceOf(text: string | undefined): string | undefined {
  const value = text === undefined ? {} : (JSON.parse(text) as Partial<Fact>);
  return typeof value.content === "string" ? value.namespace : undefined;
}
