// True Walrus blob ids, derived from the bytes: blake2b256 over the length and the Merkle root of their encoding. One at
// a time, in a worker that is started when it is needed and ended when it is not.
import { Worker } from "node:worker_threads";
import { PortcullisError } from "../../../core/errors.ts";
import type { DeriveBlobId } from "../../../ports.ts";

const IDLE_MS = 10_000;

export function blobIdDeriver(): DeriveBlobId {
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function rest(): void {
    void worker?.terminate();
    worker = undefined;
  }

  async function derive(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    clearTimeout(idle);
    worker ??= new Worker(new URL("./blob-id-worker.ts", import.meta.url));
    const asked = worker;
    asked.ref();
    try {
      return await answerOf(asked, bytes, signal);
    } catch (error) {
      // It may be in the middle of something, and would answer the next one with it.
      rest();
      throw error;
    } finally {
      asked.unref();
      idle = setTimeout(rest, IDLE_MS).unref();
    }
  }

  return (bytes, signal) => {
    const derived = turn.then(() => derive(bytes, signal));
    turn = derived.catch(() => undefined);
    return derived;
  };
}

function answerOf(worker: Worker, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
  const failed = (cause?: unknown) =>
    new PortcullisError("blob-store-failed", "The blob's id could not be derived from its bytes.", { cause });
  return new Promise<string>((resolve, reject) => {
    const onMessage = ({ blobId }: { blobId?: string }) => (blobId === undefined ? end(failed()) : end(blobId));
    const onError = (cause: unknown) => end(failed(cause));
    const onAbort = () => end(failed(signal?.reason));
    function end(outcome: string | PortcullisError): void {
      worker.off("message", onMessage).off("error", onError);
      signal?.removeEventListener("abort", onAbort);
      if (typeof outcome === "string") resolve(outcome);
      else reject(outcome);
    }
    worker.on("message", onMessage).on("error", onError);
    signal?.addEventListener("abort", onAbort, { once: true });
    worker.postMessage(bytes);
  });
}
