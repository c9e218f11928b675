// A blob's raw bytes, as this browser gets them from the aggregator itself.
import type { FetchedBlob } from "#core/verify/observation.ts";

/** Ours are at most some tens of KiB. A store that sends without end has not answered. */
const LARGEST = 1024 * 1024;
const DEADLINE_MS = 10_000;

/** `aggregator`: empty in mock mode, where the service itself has the blobs. */
export const blobUrl = (aggregator: string, blobId: string): string =>
  `${aggregator}/v1/blobs/${encodeURIComponent(blobId)}`;

export async function fetchBlob(aggregator: string, blobId: string, signal: AbortSignal): Promise<FetchedBlob> {
  try {
    const response = await fetch(blobUrl(aggregator, blobId), {
      // To check again is to ask again: what the browser remembers proves nothing.
      cache: "no-store",
      credentials: "omit",
      redirect: "error",
      referrerPolicy: "no-referrer",
      signal: AbortSignal.any([signal, AbortSignal.timeout(DEADLINE_MS)]),
    });
    if (response.status === 404) return "missing";
    if (!response.ok || response.body === null) return "unreachable";
    return (await bytesOf(response.body)) ?? "unreachable";
  } catch {
    return "unreachable";
  }
}

/** Undefined when there are too many. */
async function bytesOf(body: ReadableStream<Uint8Array>): Promise<Uint8Array | undefined> {
  const reader = body.getReader();
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return new Uint8Array(await new Blob(pieces).arrayBuffer());
    length += value.byteLength;
    if (length > LARGEST) {
      await reader.cancel();
      return undefined;
    }
    pieces.push(Uint8Array.from(value));
  }
}
