import { PortcullisError } from "#core/errors.ts";
import type { SpoolFile } from "#ports.ts";

export interface Line {
  /** From 1. */
  readonly number: number;
  readonly offset: number;
  /** With its line feed. */
  readonly bytes: Uint8Array;
}

/** Lines of one block are checked without a pause. */
const BLOCK = 64 * 1024;
/** An anchored receipt is the longest record. */
const LONGEST_LINE = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** The lines of a spooled file, block by block. A last line without a line feed counts too. */
export async function* linesOf(file: SpoolFile): AsyncGenerator<Line> {
  let rest: Uint8Array = new Uint8Array();
  let start = 0;
  let number = 0;
  for (let at = 0; at < file.size(); at += BLOCK) {
    const block = Buffer.concat([rest, await file.read({ offset: at, length: BLOCK })]);
    let from = 0;
    for (let to = block.indexOf(LINE_FEED); to !== -1; to = block.indexOf(LINE_FEED, from)) {
      number += 1;
      yield { number, offset: start, bytes: block.subarray(from, to + 1) };
      start += to + 1 - from;
      from = to + 1;
    }
    rest = block.subarray(from);
    if (rest.length > LONGEST_LINE)
      throw new PortcullisError(
        "export-damaged",
        `Line ${number + 1} is too long for an export. Nothing was recorded.`,
      );
  }
  if (rest.length > 0) yield { number: number + 1, offset: start, bytes: rest };
}
