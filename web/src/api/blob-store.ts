// Reads blobs from the aggregator, by this browser itself.
import type { FetchedBlob } from "#core/verify/observation.ts";
import { blobUrl } from "./blob-url.ts";
import { endQuietly } from "./end-quietly.ts";

/** Our blobs have some tens of KiB at most. A store that sends more than this counts as unreachable. */
const MAX_BYTES = 1024 * 1024;
const DEADLINE_MS = 10_000;

interface FetchBlobOptions {
  /** In mock mode the service gives some blobs only to who may read them. A verifier must see what anybody sees. */
  readonly asCaller?: boolean;
}

export async function fetchBlob(
  aggregator: string,
  blobId: string,
  signal: AbortSignal,
  { asCaller = false }: FetchBlobOptions = {},
): Promise<FetchedBlob> {
  const tooLong = new AbortController();
  try {
    const response = await fetch(blobUrl(aggregator, blobId), {
      // A check must ask the store: a cached copy proves nothing.
      cache: "no-store",
      credentials: asCaller ? "same-origin" : "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, tooLong.signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    if (response.status === 404) return "missing";
    if (!response.ok || response.body === null) return "unreachable";
    endQuietly(response);
    const bytes = await readBytes(response.body);
    if (bytes === undefined) tooLong.abort();
    return bytes ?? "unreachable";
  } catch {
    return "unreachable";
  }
}

/** Undefined when the body has more than MAX_BYTES. */
async function readBytes(body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const reader = body.getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer());
    length += value.byteLength;
    if (length > MAX_BYTES) return undefined;
    chunks.push(Uint8Array.from(value));
  }
}
