// Splits a file of lines into chunks that a browser can send whole and the service can store before it answers. Nothing
// is decoded here: the service gets the file's own bytes and checks every line itself.

export interface Chunk {
  /** Byte offsets in the file. */
  readonly start: number;
  readonly end: number;
  /** The number of its first line, counted from 1. */
  readonly firstLine: number;
  readonly lines: number;
  /** One line that is longer than the service accepts. It is not sent. */
  readonly isTooLong: boolean;
}

export const MAX_LINE_BYTES = 64 * 1024;
const MAX_CHUNK_BYTES = 64 * 1024;
const MAX_CHUNK_LINES = 200;
const LINE_END = 0x0a;

/** `firstLine`: the number of the first line, for a blob that is the rest of a file. */
export async function chunksOf(file: Blob, firstLine = 1): Promise<Chunk[]> {
  const chunks: Chunk[] = [];
  let open = { start: 0, firstLine };
  let line = firstLine;
  let lineStart = 0;

  function close(end: number, isTooLong = false): void {
    if (end > open.start) chunks.push({ ...open, end, lines: line - open.firstLine, isTooLong });
    open = { start: end, firstLine: line };
  }

  function endLine(end: number): void {
    const length = end - lineStart;
    const isFull = end - open.start > MAX_CHUNK_BYTES || line - open.firstLine >= MAX_CHUNK_LINES;
    if (isFull || length > MAX_LINE_BYTES) close(lineStart);
    line += 1;
    lineStart = end;
    if (length > MAX_LINE_BYTES) close(end, true);
  }

  for await (const end of lineEndsOf(file)) endLine(end);
  if (file.size > lineStart) endLine(file.size);
  close(file.size);
  return chunks;
}

/** The byte offset in the file of a chunk's line, counted from 0. */
export async function offsetOfLine(file: Blob, { start, end }: Chunk, index: number): Promise<number> {
  let passed = 0;
  if (index === 0) return start;
  for await (const lineEnd of lineEndsOf(file.slice(start, end))) {
    passed += 1;
    if (passed === index) return start + lineEnd;
  }
  return end;
}

/** The offset after each line end. */
async function* lineEndsOf(blob: Blob): AsyncGenerator<number> {
  const reader = blob.stream().getReader();
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    for (let at = value.indexOf(LINE_END); at !== -1; at = value.indexOf(LINE_END, at + 1)) yield read + at + 1;
    read += value.byteLength;
  }
}
