// Many facts at once. As many are stored side by side as the blob store takes, results come in the order of the lines,
// and whatever a result tells of is on record: who stops listening loses nothing that was answered.
import type { Fact, Memory } from "../core/memory.ts";
import { capture } from "./capture.ts";
import type { Deps } from "./deps.ts";

/** A line that was read: a fact, or why it is none. */
export type ImportLine = { readonly line: number } & ({ readonly fact: Fact } | { readonly error: unknown });

export type ImportResult = { readonly line: number } & ({ readonly memory: Memory } | { readonly error: unknown });

/** Twice the lanes of a Walrus publisher, so that none of them waits for us. */
const AT_ONCE = 16;

export async function* importMemories(deps: Deps, lines: AsyncIterable<ImportLine>): AsyncGenerator<ImportResult> {
  const underWay: Promise<ImportResult>[] = [];
  for await (const line of lines) {
    underWay.push(store(deps, line));
    if (underWay.length >= AT_ONCE) yield (await underWay.shift()) as ImportResult;
  }
  for (const result of underWay) yield await result;
}

async function store(deps: Deps, line: ImportLine): Promise<ImportResult> {
  if ("error" in line) return line;
  try {
    return { line: line.line, memory: await capture(deps, line.fact) };
  } catch (error) {
    return { line: line.line, error };
  }
}
