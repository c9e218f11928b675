// Many facts at once. As many are stored side by side as the blob store takes, results come in the order of the lines,
// and whatever a result tells of is on record: who stops listening loses nothing that was answered.
import { mapInOrder } from "#async/map-in-order.ts";
import type { Fact, Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";
import { capture } from "./capture.ts";

/** A line that was read: a fact, or why it is none. */
export type ImportLine = { readonly line: number } & ({ readonly fact: Fact } | { readonly error: unknown });

export type ImportResult = { readonly line: number } & ({ readonly memory: Memory } | { readonly error: unknown });

/** Twice what the blob store takes at a time, so that it never waits for us. */
const LOOKAHEAD = 2;

export function importMemories(deps: Deps, lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportResult> {
  return mapInOrder(lines, LOOKAHEAD * deps.blobs.putConcurrency, (line) => store(deps, line));
}

async function store(deps: Deps, line: ImportLine): Promise<ImportResult> {
  if ("error" in line) return line;
  try {
    return { line: line.line, memory: await capture(deps, line.fact) };
  } catch (error) {
    return { line: line.line, error };
  }
}
