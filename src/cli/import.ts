// npm run import -- file.ndjson: sends the facts of a file, or an export, to a running service, with a progress bar.
import { createReadStream, openAsBlob } from "node:fs";
import { open, readFile, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { type Client, createClient } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { IMPORT_LINES } from "#contract/schemas/resources.ts";
import { configurationError } from "#core/errors.ts";
import { progressBar, runCommand } from "./terminal.ts";

const HELP = `Imports memories from a file with one JSON object per line: {"namespace", "content", "sourceAgent"}. A file that
npm run export wrote is told by its first line, and imported as a whole: ids stay, and nothing is added twice.

  npm run import -- <file.ndjson> [--trust-key <keyId>] [--replace-policy] [--url http://127.0.0.1:3000] [--key-file <path>]

  --key-file         a file that holds a key, for a service that has identities; an export needs an admin's
  --trust-key        the id of the key that signed the export, if this service does not know it; npm run export tells it
  --replace-policy   puts the exported policy in the place of the one of this service

A line that is not a fact is reported, and the other lines are imported. Every fact that is reported as imported is on
record. Exits with 1 when a line failed.`;

const HEADER = '{"portcullis":"export"';

await runCommand("import", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      url: { type: "string", default: "http://127.0.0.1:3000" },
      "key-file": { type: "string" },
      "trust-key": { type: "string" },
      "replace-policy": { type: "boolean" },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const [path, ...rest] = positionals;
  if (!path || rest.length > 0) throw configurationError("Name one file. --help shows how.");
  const { url, "key-file": keyFile, "trust-key": key, "replace-policy": replaces } = values;
  const bearer = keyFile === undefined ? undefined : (await readFile(keyFile, "utf8")).trim();
  const client = createClient({ baseUrl: url.replace(/\/$/, ""), bearer });
  if (!(await isExport(path))) return importFile(client, path);
  const query = { ...(key !== undefined && { key }), ...(replaces && { policy: "replace" as const }) };
  await importExport(client, path, query);
});

async function isExport(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return buffer.toString("utf8", 0, bytesRead) === HEADER;
  } finally {
    await file.close();
  }
}

async function importExport(
  client: Client,
  path: string,
  query: Parameters<Client["importRecords"]>[1],
): Promise<void> {
  let bar = progressBar(1);
  for await (const { done, of = 0, outcome } of client.importRecords(await openAsBlob(path), query)) {
    if (done === 0) bar = progressBar(of);
    if (done !== undefined) bar.show(done, `${done} of ${of} records`);
    if (outcome !== undefined) report(outcome, bar.print);
  }
}

function report({ added, policy, leftOut }: ImportOutcome, print: (line: string) => void): void {
  const counts = Object.entries(added).map(([kind, count]) => `${kind}: ${count}`);
  print(counts.length === 0 ? "everything was on record" : `added ${counts.join(", ")}`);
  if (policy === "set") print("the policy is the exported one now");
  if (policy === "kept") print("the policy stays as it was; --replace-policy replaces it");
  for (const [kind, count] of Object.entries(leftOut)) print(`left out ${kind}: ${count}`);
}

async function importFile(client: Client, path: string): Promise<void> {
  const bar = progressBar((await stat(path)).size);
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

type ImportOutcome = NonNullable<Reply<"importRecords">["outcome"]>;

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
