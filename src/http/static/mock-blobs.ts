import { PortcullisError } from "#core/errors.ts";
import type { HttpReply } from "#http/answer/reply.ts";
import type { BlobStore } from "#ports.ts";

/** Replies as an aggregator does. The bytes never change, any page may read them, and no browser takes them for a page. */
export async function blobReply(blobs: BlobStore, blobId: string): Promise<HttpReply> {
  const bytes = await blobs.get(blobId);
  if (bytes === undefined) throw new PortcullisError("blob-not-found", "The store has no blob with this id.");
  return {
    headers: {
      "content-type": "application/octet-stream",
      "cache-control": "public, max-age=86400",
      "cross-origin-resource-policy": "cross-origin",
      "access-control-allow-origin": "*",
      etag: `"${blobId}"`,
    },
    body: Uint8Array.from(bytes),
  };
}
