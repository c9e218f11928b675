// The child process of blob-id.ts: takes bytes, answers with their Walrus blob id. One takes about two seconds of CPU.
import { BlobEncoder } from "@mysten/walrus-wasm";

/** All networks of Walrus have this many shards. */
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
