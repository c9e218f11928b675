// Reads the body of a response within bounds of size and time.
import { orAfter } from "#async/with-deadline.ts";
import { CallFailure } from "./failure.ts";

/** Far above the longest answer that is not cut, with the frame of a stream around every token. */
const MAX_BODY_BYTES = 16 * 1024 * 1024;
const DRAIN_MS = 250;
/** An error is a few hundred bytes long, unless it echoes the request. */
const MAX_ERROR_BYTES = 64 * 1024;
/** An endpoint sends an error at once. One that does not is not waited for. */
const ERROR_MS = 500;

/** The body, up to the limit and until the signal aborts. Then the body is closed. */
export async function* limitBody(body: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  let remaining = MAX_BODY_BYTES;
  for await (const chunk of body) {
    signal.throwIfAborted();
    remaining -= chunk.length;
    if (remaining < 0) throw new CallFailure({ kind: "no-answer" });
    yield chunk;
  }
}

/**
 * Reads and drops what is left, so that the connection can be used again. Gives up after a short time: an endpoint may
 * leave the connection open.
 */
export async function drain(rest: AsyncGenerator<unknown>): Promise<void> {
  await orAfter(DRAIN_MS, readToEnd(rest), undefined);
}

/** The beginning of an error's body. The rest is dropped, as by `drain`, and so is what comes too late. */
export async function readBeginning(chunks: AsyncGenerator<Uint8Array>): Promise<string> {
  const read: Uint8Array[] = [];
  const reading = (async () => {
    let remaining = MAX_ERROR_BYTES;
    for (let next = await chunks.next(); !next.done && remaining > 0; next = await chunks.next()) {
      read.push(next.value.subarray(0, remaining));
      remaining -= next.value.length;
    }
  })().catch(() => undefined);
  await orAfter(ERROR_MS, reading, undefined);
  await drain(chunks);
  return new TextDecoder().decode(Buffer.concat(read));
}

async function readToEnd(rest: AsyncGenerator<unknown>): Promise<void> {
  try {
    while (!(await rest.next()).done);
  } catch {
    // The connection failed or was closed. Nothing of this body is needed any more.
  }
}
