// Reads blobs from the aggregator, by this browser itself.
import type { FetchedBlob } from "#core/verify/observation.ts";
import { fetchBlob as fetchFrom } from "#verification/fetch-blob.ts";
import { BASE_PATH } from "#web/lib/address.ts";
import { tenantHeaders } from "#web/session/session.ts";
import { endQuietly } from "./client.ts";

interface FetchBlobOptions {
  /** In mock mode the service gives some blobs only to who may read them. A verifier must see what anybody sees. */
  readonly asCaller?: boolean;
}

/** `aggregator` is empty in mock mode, where the service itself serves the blobs. */
export function fetchBlob(
  aggregator: string,
  blobId: string,
  signal: AbortSignal,
  { asCaller = false }: FetchBlobOptions = {},
): Promise<FetchedBlob> {
  const init: RequestInit = {
    // A check must ask the store: a cached copy proves nothing.
    cache: "no-store",
    credentials: asCaller ? "same-origin" : "omit",
    ...(asCaller && aggregator === "" && { headers: tenantHeaders() }),
    referrerPolicy: "no-referrer",
  };
  return fetchFrom(blobId, { baseUrl: aggregator || BASE_PATH, signal, init, onResponse: endQuietly });
}
