// The inside of the process that blob-id.ts starts: bytes in, true Walrus blob ids out, about two seconds of CPU each.
import { BlobEncoder } from "@mysten/walrus-wasm";

/** Of Walrus's networks, all of them. */
const SHARDS = 1_000;

const encoder = new BlobEncoder(SHARDS);

process.on("message", (bytes: Uint8Array) => {
  try {
    const [blobId] = encoder.compute_metadata(bytes) as [number[]];
    process.send?.({ blobId: Buffer.from(blobId).toString("base64url") });
  } catch {
    process.send?.({});
  }
});
