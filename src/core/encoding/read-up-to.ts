// Reads bodies whose sender decides on their length: no further than a bound, in a browser as well.

type Body = ReadableStream<Uint8Array> | AsyncIterable<Uint8Array> | null;

/** The chunks of a body. Whoever stops early closes its connection, so the sender stops. */
export async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  // Not every browser has `for await` over a stream.
  const reader = body.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    // Cancelling a body that ended or broke off does nothing.
    await reader.cancel().catch(() => undefined);
  }
}

/** Chunks copied into one array: a body that comes in very small ones takes no more room than its bytes. */
export function collectBytes() {
  let all = new Uint8Array(1_024);
  let length = 0;
  return {
    length: () => length,
    add(chunk: Uint8Array): void {
      if (length + chunk.length > all.length) {
        const grown = new Uint8Array(Math.max(2 * all.length, length + chunk.length));
        grown.set(all);
        all = grown;
      }
      all.set(chunk, length);
      length += chunk.length;
    },
    bytes: () => all.subarray(0, length),
  };
}

/** The bytes of a body; undefined when it has more than `most`. `read` has what came also when the body breaks off. */
export async function readUpTo(most: number, body: Body, read = collectBytes()) {
  const chunks = body !== null && "getReader" in body ? chunksOf(body) : (body ?? []);
  for await (const chunk of chunks) {
    if (read.length() + chunk.length > most) return undefined;
    read.add(chunk);
  }
  return read.bytes();
}

/** The same as text. */
export async function readTextUpTo(most: number, body: Body): Promise<string | undefined> {
  const bytes = await readUpTo(most, body);
  return bytes && new TextDecoder().decode(bytes);
}
