// The lines of bytes that come in chunks.

const LINE_FEED = 0x0a;

export interface Line {
  /** From 1, empty lines included. */
  readonly number: number;
  /** Of its first byte, in all the bytes. */
  readonly offset: number;
  /** Without its line feed. Undefined if the line is too long: its bytes were dropped as they came. */
  readonly bytes: Uint8Array | undefined;
}

/** A last line without a line feed counts too. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>, longest: number): AsyncGenerator<Line> {
  let [number, offset, size] = [1, 0, 0];
  let parts: Uint8Array[] = [];

  function append(part: Uint8Array): void {
    size += part.length;
    if (size > longest) parts = [];
    else parts.push(part);
  }

  function finish(): Line {
    const finished = { number, offset, bytes: size > longest ? undefined : Buffer.concat(parts) };
    [number, offset, size, parts] = [number + 1, offset + size + 1, 0, []];
    return finished;
  }

  for await (const chunk of chunks) {
    let from = 0;
    for (let to = chunk.indexOf(LINE_FEED); to !== -1; to = chunk.indexOf(LINE_FEED, from)) {
      append(chunk.subarray(from, to));
      yield finish();
      from = to + 1;
    }
    append(chunk.subarray(from));
  }
  if (size > 0) yield finish();
}
