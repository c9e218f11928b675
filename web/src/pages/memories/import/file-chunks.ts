// How a file of lines is sent: in pieces that a browser can send whole and the service can take before it answers.
// Nothing is decoded here: the service sees the file's own bytes and judges every line itself.

export interface Piece {
  /** Where it begins and ends in the file, in bytes. */
  readonly start: number;
  readonly end: number;
  /** Counted from 1, as the lines of a file are. */
  readonly firstLine: number;
  readonly lines: number;
  /** One line that is longer than the service takes, and need not be sent to know that. */
  readonly tooLong: boolean;
}

export const LONGEST_LINE = 64 * 1024;
const PIECE_BYTES = 64 * 1024;
const PIECE_LINES = 200;
const LINE_END = 0x0a;

/** `firstLine`: the number of the blob's first line, when it is the rest of a file. */
export async function piecesOf(file: Blob, firstLine = 1): Promise<Piece[]> {
  const pieces: Piece[] = [];
  let open = { start: 0, firstLine };
  let line = firstLine;
  let lineStart = 0;

  function close(end: number, tooLong = false): void {
    if (end > open.start) pieces.push({ ...open, end, lines: line - open.firstLine, tooLong });
    open = { start: end, firstLine: line };
  }

  function endLine(end: number): void {
    const length = end - lineStart;
    const isFull = end - open.start > PIECE_BYTES || line - open.firstLine >= PIECE_LINES;
    if (isFull || length > LONGEST_LINE) close(lineStart);
    line += 1;
    lineStart = end;
    if (length > LONGEST_LINE) close(end, true);
  }

  for await (const end of lineEndsOf(file)) endLine(end);
  if (file.size > lineStart) endLine(file.size);
  close(file.size);
  return pieces;
}

/** Where line `wanted` of a piece begins: its `nth` line, counted from 0. */
export async function startOfLine(file: Blob, { start, end }: Piece, nth: number): Promise<number> {
  let passed = 0;
  if (nth === 0) return start;
  for await (const lineEnd of lineEndsOf(file.slice(start, end))) {
    passed += 1;
    if (passed === nth) return start + lineEnd;
  }
  return end;
}

/** The places after each line end. */
async function* lineEndsOf(blob: Blob): AsyncGenerator<number> {
  const reader = blob.stream().getReader();
  for (let read = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return;
    for (let at = value.indexOf(LINE_END); at !== -1; at = value.indexOf(LINE_END, at + 1)) yield read + at + 1;
    read += value.byteLength;
  }
}
