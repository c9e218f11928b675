// Imports facts or an export, and exports.
import { createReadStream, openAsBlob } from "node:fs";
import { open, rm, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Invocation, Runs } from "#cli/invocation.ts";
import { foreignPlan, sentencesOfForeign } from "#cli/shared/foreign-plan.ts";
import { openClient } from "#cli/shared/service-client.ts";
import { lineCounter, progressBar } from "#cli/terminal/progress-bar.ts";
import { safeJson } from "#cli/terminal/safe-text.ts";
import type { Client } from "#contract/client/client.ts";
import { sentenceOf } from "#contract/problem.ts";
import type { Reply } from "#contract/routes.ts";
import { IMPORT_LINES } from "#contract/schemas/resources.ts";
import { orUndefined } from "#core/defined.ts";
import { configurationError } from "#core/errors.ts";
import type { Product } from "#core/transfer/foreign-memories.ts";

export const runs: Runs<"import" | "export"> = {
  async import(invocation) {
    const [path = ""] = invocation.positionals;
    const { from } = invocation.values;
    const { client } = await openClient(invocation);
    if (from !== undefined) return importForeign(invocation, client, path, from);
    if (await isExport(path)) return importExport(invocation, client, path);
    const { size } = await stat(path);
    return importFacts(invocation, client, size, (report) => factBatches(path, report));
  },

  async export(invocation) {
    const { values, out, say, json } = invocation;
    const { records, keyId } = await (values.out === undefined
      ? writeTo(invocation, standardOutput(invocation))
      : toFile(invocation, values.out));
    // Without a file, standard output has the export and nothing else.
    if (values.json && values.out !== undefined) await json({ file: values.out, records, keyId });
    else if (!out.isTerminal || values.out !== undefined) await say(`${records} records, signed with the key ${keyId}`);
  },
};

const HEADER = '{"portcullis":"export"';

async function isExport(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    return buffer.toString("utf8", 0, bytesRead) === HEADER;
  } finally {
    await file.close();
  }
}

async function importExport({ wanted, err, tell }: Invocation<"import">, client: Client, path: string) {
  const { key, policy, dryRun } = wanted;
  let bar = progressBar(err, 1);
  for await (const step of client.importRecords(await openAsBlob(path), { key, policy, dryRun })) {
    const { done, of = 0, outcome, plan } = step;
    if (done === 0) bar = progressBar(err, of);
    if (done !== undefined) bar.show(done, `${done} of ${of} records`);
    if (plan !== undefined) await tell({ dryRun: true, ...plan }, { say: sentencesOfPlan(plan) });
    if (outcome === undefined) continue;
    bar.clear();
    await tell(outcome, { say: sentencesOf(outcome).join("\n") });
  }
  return undefined;
}

function sentencesOf({ added, policy, leftOut }: NonNullable<Reply<"importRecords">["outcome"]>): string[] {
  const counts = Object.entries(added).map(([kind, count]) => `${kind}: ${count}`);
  return [
    counts.length === 0 ? "everything was on record" : `added ${counts.join(", ")}`,
    ...(policy === "set" ? ["the policy is the exported one now"] : []),
    ...(policy === "kept" ? ["the policy stays as it was; --replace-policy replaces it"] : []),
    ...Object.entries(leftOut).map(([kind, count]) => `left out ${kind}: ${count}`),
  ];
}

function sentencesOfPlan({ records, newMemories }: NonNullable<Reply<"importRecords">["plan"]>): string {
  const counts = Object.entries(records).map(([kind, count]) => `${kind}: ${count}`);
  return `the export is in order: ${counts.join(", ")}\n${newMemories} of its memories are not on record`;
}

/** Says what goes where and what is lost, and then imports it, or tries to. */
async function importForeign(invocation: Invocation<"import">, client: Client, path: string, product: Product) {
  const { facts, plan } = await foreignPlan(path, product, invocation.values);
  if (!invocation.values.json) await invocation.say(sentencesOfForeign(plan).join("\n"));
  async function* batchesOf(): AsyncGenerator<Batch> {
    for (let start = 0; start < facts.length; start += IMPORT_LINES) {
      const batch = facts.slice(start, start + IMPORT_LINES);
      yield { facts: batch, lines: batch.map((_, i) => start + i + 1), start, end: start + batch.length };
    }
  }
  return importFacts(invocation, client, facts.length, batchesOf, plan);
}

type Report = (line: number, why: string) => Promise<void>;

/** `more` is said beside the counts as JSON. */
async function importFacts(
  { wanted: { dryRun }, err, say, tell }: Invocation<"import">,
  client: Client,
  size: number,
  batchesOf: (reportFailure: Report) => AsyncGenerator<Batch>,
  more: object = {},
): Promise<number | undefined> {
  const bar = progressBar(err, size);
  const counts = { imported: 0, failed: 0 };
  async function reportFailure(line: number, why: string): Promise<void> {
    counts.failed += 1;
    bar.clear();
    await say(`Line ${line}${why}`);
  }
  for await (const { facts, lines, start, end } of batchesOf(reportFailure)) {
    for await (const { line, problem } of client.importMemories(facts, { dryRun })) {
      if (problem === undefined) counts.imported += 1;
      else await reportFailure(lines[line - 1] ?? line, `: ${sentenceOf(problem)}`);
      bar.show(start + ((end - start) * line) / facts.length, `${counts.imported} imported`);
    }
  }
  bar.clear();
  const done = dryRun ? "would be imported" : "imported";
  await tell({ ...more, ...counts }, { say: `${counts.imported} ${done}, ${counts.failed} failed` });
  return counts.failed > 0 ? 1 : undefined;
}

interface Batch {
  readonly facts: object[];
  readonly lines: number[];
  /** The offsets in the file, in bytes. */
  readonly start: number;
  readonly end: number;
}

async function* factBatches(path: string, reportFailure: Report): AsyncGenerator<Batch> {
  let batch: Batch = { facts: [], lines: [], start: 0, end: 0 };
  let line = 0;
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    line += 1;
    batch = { ...batch, end: batch.end + Buffer.byteLength(text) + 1 };
    if (text.trim() === "") continue;
    const fact: unknown = orUndefined(() => JSON.parse(text));
    if (typeof fact !== "object" || fact === null) await reportFailure(line, " is not valid JSON.");
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

type Write = (bytes: Uint8Array) => Promise<unknown>;

/** A pipe gets the bytes that were signed. A terminal gets the same JSON with what could mislead it escaped. */
function standardOutput({ out }: Invocation<"export">): Write {
  if (!out.isTerminal) return (bytes) => out.write(bytes);
  const utf8 = new TextDecoder();
  return (bytes) => out.write(safeJson(utf8.decode(bytes, { stream: true })));
}

/** It holds what only its owner should read. A file that is not complete is removed. */
async function toFile(invocation: Invocation<"export">, path: string) {
  const file = await open(path, "wx", 0o600).catch((error) => {
    if (error.code !== "EEXIST") throw error;
    throw configurationError(`${path} exists. Name a file that does not.`);
  });
  try {
    const written = await writeTo(invocation, (bytes) => file.writeFile(bytes));
    await file.sync();
    return written;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

async function writeTo(invocation: Invocation<"export">, write: Write) {
  const { values, wanted, err, out } = invocation;
  const { client } = await openClient(invocation);
  const { out: _, ...query } = wanted;
  const body = await client.exportRecords(query);
  const isShown = values.out !== undefined || !out.isTerminal;
  const lines = lineCounter(isShown ? err : { ...err, isTerminal: false }, "records");
  let end = Buffer.alloc(0);
  for await (const bytes of body ?? []) {
    await write(bytes);
    lines.count(bytes);
    end = Buffer.concat([end, bytes]).subarray(-MOST_TRAILER_BYTES);
  }
  const count = lines.end();
  const trailer = end.toString("utf8").trimEnd().split("\n").at(-1) ?? "";
  if (!trailer.startsWith('{"portcullis":"end",')) throw new Error("The export broke off. Export again.");
  const { signature } = JSON.parse(trailer) as { readonly signature: { readonly keyId: string } };
  return { records: count - 2, keyId: signature.keyId };
}

/** More than the last line of an export has: counts, a digest and a signature. */
const MOST_TRAILER_BYTES = 16_384;
