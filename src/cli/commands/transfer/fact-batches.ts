// Reads a file of facts, one JSON object a line, in batches that one request takes.
import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";
import { IMPORT_LINES } from "#contract/schemas/resources.ts";

export interface Batch {
  readonly facts: object[];
  /** The line number of each fact in the file. */
  readonly lines: number[];
  /** The offsets in the file, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** Skips blank lines, and reports lines that are no JSON object. */
export async function* factBatches(
  path: string,
  reportFailure: (line: number, why: string) => Promise<void>,
): AsyncGenerator<Batch> {
  let batch: Batch = { facts: [], lines: [], start: 0, end: 0 };
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    batch = { ...batch, end: batch.end + Buffer.byteLength(text) + 1 };
    if (text.trim() === "") continue;
    const fact = parseObject(text);
    if (fact === undefined) await reportFailure(line, " is not valid JSON.");
    else {
      batch.facts.push(fact);
      batch.lines.push(line);
    }
    if (batch.facts.length < IMPORT_LINES) continue;
    yield batch;
    batch = { facts: [], lines: [], start: batch.end, end: batch.end };
  }
  if (batch.facts.length > 0) yield batch;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
