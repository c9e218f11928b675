// True Walrus blob ids, derived from the bytes: blake2b256 over the length and the Merkle root of their encoding. One at
// a time, in a process that is started when it is needed and ended when it is not. Not a thread: it must be possible to
// give up, and V8 has been seen to crash the whole process when a thread is ended in the middle of WebAssembly.
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { PortcullisError } from "#core/errors.ts";
import type { DeriveBlobId } from "#ports.ts";

const IDLE_MS = 10_000;
const SCRIPT = fileURLToPath(new URL("./blob-id-process.ts", import.meta.url));

export function blobIdDeriver(): DeriveBlobId {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let turn: Promise<unknown> = Promise.resolve();

  function rest(): void {
    child?.kill("SIGKILL");
    child = undefined;
  }

  async function derive(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    clearTimeout(idle);
    child ??= started();
    const asked = child;
    try {
      return await answerOf(asked, bytes, signal);
    } catch (error) {
      // It may be in the middle of something, and would answer the next one with it.
      rest();
      throw error;
    } finally {
      idle = setTimeout(rest, IDLE_MS).unref();
    }
  }

  return (bytes, signal) => {
    const derived = turn.then(() => derive(bytes, signal));
    turn = derived.catch(() => undefined);
    return derived;
  };
}

/** Ends with us, and does not keep us from ending. */
function started(): ChildProcess {
  const child = fork(SCRIPT, {
    execArgv: [],
    // It needs no secrets, and so gets none.
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  return child;
}

function answerOf(child: ChildProcess, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
  const failed = (cause?: unknown) =>
    new PortcullisError("blob-store-failed", "The blob's id could not be derived from its bytes.", { cause });
  return new Promise<string>((resolve, reject) => {
    const onMessage = (message: unknown) => end((message as { blobId?: string }).blobId ?? failed());
    const onExit = () => end(failed());
    const onError = (cause: unknown) => end(failed(cause));
    const onAbort = () => end(failed(signal?.reason));
    function end(outcome: string | PortcullisError): void {
      child.off("message", onMessage).off("error", onError).off("exit", onExit);
      signal?.removeEventListener("abort", onAbort);
      if (typeof outcome === "string") resolve(outcome);
      else reject(outcome);
    }
    child.on("message", onMessage).on("error", onError).on("exit", onExit);
    signal?.addEventListener("abort", onAbort, { once: true });
    child.send(bytes);
  });
}
