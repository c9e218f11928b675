// npm run import -- file.ndjson: sends the facts of a file to a running service, with a progress bar.
import { createReadStream } from "node:fs";
import { readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createClient } from "#contract/client/client.ts";
import { IMPORT_LINES } from "#contract/schemas/resources.ts";
import { configurationError } from "#core/errors.ts";
import { progressBar, runCommand } from "./terminal.ts";

const HELP = `Imports memories from a file with one JSON object per line: {"namespace", "content", "sourceAgent"}.

  npm run import -- <file.ndjson> [--url http://127.0.0.1:3000] [--key-file <path>]

  --key-file   a file that holds a key, for a service that has identities

A line that is not a fact is reported, and the other lines are imported. Every fact that is reported as imported is on
record. Exits with 1 when a line failed.`;

await runCommand("import", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string", default: "http://127.0.0.1:3000" },
      "key-file": { type: "string" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw configurationError("Name one file. --help shows how.");
  await importFile(path, values.url, values["key-file"]);
});

async function importFile(path: string, url: string, keyFile: string | undefined): Promise<void> {
  const bearer = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  const bar = progressBar((await stat(path)).size);
  const client = createClient({ baseUrl: url.replace(/\/$/, ""), bearer });
  const counts = { imported: 0, failed: 0 };
  function reportFailure(line: number, why: string): void {
    counts.failed += 1;
    bar.print(`line ${line}: ${why}`);
  }
  for await (const { facts, lines, start, end } of batches(path, reportFailure)) {
    for await (const { line, problem } of client.importMemories(facts)) {
      if (problem === undefined) counts.imported += 1;
      else reportFailure(lines[line - 1] ?? line, `${problem.detail}${detailOf(problem.errors)}`);
      bar.show(start + ((end - start) * line) / facts.length, `${counts.imported} imported`);
    }
  }
  bar.print(`${counts.imported} imported, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
}

interface Batch {
  readonly facts: object[];
  /** The line number of each fact in the file. */
  readonly lines: number[];
  /** The offsets in the file, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** Cuts the file into batches that one request takes. Skips blank lines, and reports lines that are no JSON object. */
async function* batches(path: string, reportFailure: (line: number, why: string) => void): AsyncGenerator<Batch> {
  let batch: Batch = { facts: [], lines: [], start: 0, end: 0 };
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    batch = { ...batch, end: batch.end + Buffer.byteLength(text) + 1 };
    if (text.trim() === "") continue;
    const fact = parseObject(text);
    if (fact === undefined) reportFailure(line, "This is not a JSON object.");
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

function detailOf(errors: readonly { pointer?: string | undefined; detail: string }[] = []): string {
  return errors.map(({ pointer = "", detail }) => ` ${pointer.slice(2)} ${detail}.`).join("");
}
