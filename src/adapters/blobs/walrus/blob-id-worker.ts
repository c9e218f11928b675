// Derives true Walrus blob ids, which takes about two seconds of CPU each: so in a thread of its own.
import { parentPort } from "node:worker_threads";
import { BlobEncoder } from "@mysten/walrus-wasm";

/** Of Walrus's networks, all of them. */
const SHARDS = 1_000;

const encoder = new BlobEncoder(SHARDS);

parentPort?.on("message", (bytes: Uint8Array) => {
  try {
    const [blobId] = encoder.compute_metadata(bytes) as [number[]];
    parentPort?.postMessage({ blobId: Buffer.from(blobId).toString("base64url") });
  } catch {
    parentPort?.postMessage({});
  }
});
