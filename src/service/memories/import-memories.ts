// Import of many facts. Facts are stored concurrently, results come in the order of the lines, and every memory in a
// result is on record: a caller that goes away loses none of them.
import { mapInOrder } from "#async/map-in-order.ts";
import type { Memory } from "#core/memory.ts";
import type { Deps } from "#service/deps.ts";
import { capture, type Draft } from "./capture.ts";

/** A line: a fact, or the error that says why it is not one. */
export type ImportLine = { readonly line: number } & ({ readonly fact: Draft } | { readonly error: unknown });

export type ImportResult = { readonly line: number } & ({ readonly memory: Memory } | { readonly error: unknown });

/** Facts in progress for each put that the blob store takes at a time, so that the store never waits for us. */
const FACTS_PER_PUT = 2;

export function importMemories(deps: Deps, lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportResult> {
  return mapInOrder(lines, FACTS_PER_PUT * deps.blobs.putConcurrency, (line) => importLine(deps, line));
}

async function importLine(deps: Deps, line: ImportLine): Promise<ImportResult> {
  if ("error" in line) return line;
  try {
    return { line: line.line, memory: await capture(deps, line.fact) };
  } catch (error) {
    return { line: line.line, error };
  }
}
