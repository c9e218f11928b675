// npm run import -- file.ndjson: sends the facts of a file to a running service, and shows how far it is.
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createClient } from "../contract/client.ts";
import { IMPORT_LINES } from "../contract/import.ts";
import { progressBar } from "./progress.ts";

const HELP = `Imports memories from a file of JSON objects, one a line: {"namespace", "content", "sourceAgent"}.

  npm run import -- <file.ndjson> [--url http://127.0.0.1:3000]

Lines that are no facts are reported and the others imported. What was reported as imported is on record. Exits with 1
when any line failed.`;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { url: { type: "string", default: "http://127.0.0.1:3000" }, help: { type: "boolean", short: "h" } },
});

if (values.help || positionals.length !== 1) process.stdout.write(`${HELP}\n`);
else await main(positionals[0] as string, values.url).catch(fail);

async function main(path: string, url: string): Promise<void> {
  const { size } = await stat(path);
  const bar = progressBar({ total: size, stream: process.stderr });
  const client = createClient({ baseUrl: url.replace(/\/$/, "") });
  const counts = { imported: 0, failed: 0 };
  let before = 0;
  for await (const batch of batches(path)) {
    for await (const { line, problem } of client.importMemories(batch.facts)) {
      if (problem === undefined) counts.imported += 1;
      else counts.failed += 1;
      if (problem !== undefined) bar.say(`line ${before + line}: ${problem.detail}${detailOf(problem.errors)}`);
      bar.show(batch.start + ((batch.end - batch.start) * line) / batch.facts.length, `${counts.imported} imported`);
    }
    before += batch.facts.length;
  }
  bar.end(`${counts.imported} imported, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
}

interface Batch {
  readonly facts: object[];
  /** Where in the file it begins and ends, in bytes. */
  readonly start: number;
  readonly end: number;
}

/** As many lines as one import takes, with a place for those that are no JSON, so that line numbers stay right. */
async function* batches(path: string): AsyncGenerator<Batch> {
  let [facts, start, end]: [object[], number, number] = [[], 0, 0];
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    end += Buffer.byteLength(text) + 1;
    facts.push(parsed(text));
    if (facts.length < IMPORT_LINES) continue;
    yield { facts, start, end };
    [facts, start] = [[], end];
  }
  if (facts.length > 0) yield { facts, start, end };
}

/** What is no JSON object is sent as an empty one: the service says what is missing. */
function parsed(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function detailOf(errors: readonly { pointer?: string | undefined; detail: string }[] = []): string {
  return errors.map(({ pointer = "", detail }) => ` ${pointer.slice(2)} ${detail}.`).join("");
}

function fail(error: unknown): void {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const why = cause instanceof Error ? ` (${"code" in cause ? cause.code : cause.message})` : "";
  process.stderr.write(`import: ${message}${why}\n`);
  process.exitCode = 1;
}
