// A body of lines, read as it comes. A line that is too long is not kept: it is said to be, and the next one is read.
import { inTime } from "./in-time.ts";

const LINE_LIMIT = 64 * 1024;
const LINE_END = 0x0a;

export type Line =
  | { readonly line: number; readonly bytes: Uint8Array }
  | { readonly line: number; readonly tooLong: true };

/** `idleMs` is how long the sender may be silent. */
export async function* linesOf(body: ReadableStream<Uint8Array>, idleMs: number): AsyncGenerator<Line> {
  const reader = body.getReader();
  let [line, size, tooLong] = [1, 0, false];
  let pieces: Uint8Array[] = [];

  function take(piece: Uint8Array): void {
    size += piece.length;
    tooLong ||= size > LINE_LIMIT;
    if (tooLong) pieces = [];
    else pieces.push(piece);
  }

  function finish(): Line {
    const finished: Line = tooLong ? { line, tooLong } : { line, bytes: Buffer.concat(pieces) };
    [line, size, tooLong, pieces] = [line + 1, 0, false, []];
    return finished;
  }

  try {
    for (;;) {
      const { done, value } = await inTime(reader.read(), idleMs);
      if (done) break;
      let from = 0;
      for (let to = value.indexOf(LINE_END); to !== -1; to = value.indexOf(LINE_END, from)) {
        take(value.subarray(from, to));
        yield finish();
        from = to + 1;
      }
      take(value.subarray(from));
    }
    if (size > 0) yield finish();
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
