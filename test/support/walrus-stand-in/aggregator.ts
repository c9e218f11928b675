// The aggregator: GET /v1/blobs/{id}.
import type { IncomingMessage } from "node:http";
import type { Network } from "./blob-network.ts";
import type { Fault } from "./knobs.ts";
import { type Answer, json, plain, refusal } from "./replies.ts";

export function aggregate(request: IncomingMessage, url: URL, network: Network, fault?: Fault): Answer {
  const encoded = /^\/v1\/blobs\/([^/]+)$/.exec(url.pathname)?.[1];
  if (encoded === undefined) return plain(404, "");
  const blobId = decodeURIComponent(encoded);
  if (request.method !== "GET" && request.method !== "HEAD") return plain(405, "");
  if (!network.isBlobId(blobId)) return refusal(400, "MALFORMED_REQUEST", "the blob id is malformed");
  if (fault === "forbidden") return refusal(451, "FORBIDDEN_BLOB", "the blob is on a deny list");
  if (fault === "error-in-200") return json(200, { error: { failurePhase: "read", errorMsg: "no slivers" } });
  const blob = network.find(blobId);
  if (blob === undefined || blob.notFounds > 0) {
    if (blob !== undefined) blob.notFounds -= 1;
    return refusal(404, "BLOB_NOT_FOUND", "the requested blob ID does not exist on Walrus");
  }
  return {
    status: 200,
    headers: {
      "Content-Type": "application/octet-stream",
      "Cache-Control": "public, max-age=86400",
      ETag: blobId,
      "X-Content-Type-Options": "nosniff",
    },
    body: bodyOf(blob.bytes, fault),
  };
}

function bodyOf(bytes: Uint8Array, fault: Fault | undefined): Uint8Array {
  if (fault === "wrong-bytes") return Buffer.concat([bytes, Buffer.from("!")]);
  if (fault === "endless") return Buffer.alloc(8 * 1024 * 1024, "x");
  return bytes;
}
