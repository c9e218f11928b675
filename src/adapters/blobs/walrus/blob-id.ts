// Derives the true Walrus blob id from bytes: blake2b256 over the length and the Merkle root of their encoding. One at
// a time, in a child process that starts on demand and ends when idle. It is not a thread: a derivation must be
// abortable, and V8 has been seen to crash the whole process when a thread is terminated in the middle of WebAssembly.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { createMutex } from "#async/semaphore.ts";
import { untilAborted } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { DeriveBlobId } from "#ports.ts";

const IDLE_MS = 10_000;
const SCRIPT = fileURLToPath(new URL("./blob-id-process.ts", import.meta.url));

export function blobIdDeriver(): DeriveBlobId {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  const exclusively = createMutex();

  function stop(): void {
    child?.kill("SIGKILL");
    child = undefined;
  }

  async function derive(bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
    signal?.throwIfAborted();
    clearTimeout(idle);
    child ??= start();
    try {
      return await ask(child, bytes, signal);
    } catch (error) {
      // The child may still be at work, and would answer the next request with this result.
      stop();
      throw error;
    } finally {
      idle = setTimeout(stop, IDLE_MS).unref();
    }
  }

  return (bytes, signal) => exclusively("derive", () => derive(bytes, signal));
}

/** The child ends with this process, and does not keep it alive. It gets no environment, because it needs no secrets. */
function start(): ChildProcess {
  const child = fork(SCRIPT, {
    execArgv: [],
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  child.unref();
  child.channel?.unref();
  return child;
}

async function ask(child: ChildProcess, bytes: Uint8Array, signal: AbortSignal | undefined): Promise<string> {
  const listening = new AbortController();
  try {
    const events = ["message", "exit"].map((event) => once(child, event, { signal: listening.signal }));
    child.send(bytes);
    const [message] = await untilAborted(signal ?? listening.signal, Promise.race(events));
    if (message?.blobId === undefined) throw new Error("The process ended, or could not encode the bytes.");
    return message.blobId;
  } catch (cause) {
    throw new PortcullisError("blob-store-failed", "The blob's id could not be derived from its bytes.", { cause });
  } finally {
    listening.abort();
  }
}
