// Sends the facts of a file, or an export, to a service.
import { openAsBlob } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { Invocation, Run } from "#cli/invocation.ts";
import { type OpenedClient, openClient } from "#cli/shared/service-client.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import type { Reply } from "#contract/routes.ts";
import { factBatches } from "./fact-batches.ts";

const HEADER = '{"portcullis":"export"';

export const run: Run<"import"> = async (invocation) => {
  const [path = ""] = invocation.positionals;
  const service = await openClient(invocation);
  return (await isExport(path)) ? importExport(invocation, service, path) : importFacts(invocation, service, path);
};

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
  { values, signal, err, say, json }: Invocation<"import">,
  { client }: OpenedClient,
  path: string,
): Promise<undefined> {
  const { "trust-key": key, "replace-policy": replaces } = values;
  const query = { ...(key !== undefined && { key }), ...(replaces && { policy: "replace" as const }) };
  let bar = progressBar(err, 1);
  for await (const { done, of = 0, outcome } of client.importRecords(await openAsBlob(path), query, { signal })) {
    if (done === 0) bar = progressBar(err, of);
    if (done !== undefined) bar.show(done, `${done} of ${of} records`);
    if (outcome === undefined) continue;
    bar.clear();
    await (values.json ? json(outcome) : say(sentencesOf(outcome).join("\n")));
  }
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

async function importFacts(
  { values, signal, err, say, json }: Invocation<"import">,
  { client }: OpenedClient,
  path: string,
): Promise<number | undefined> {
  const bar = progressBar(err, (await stat(path)).size);
  const counts = { imported: 0, failed: 0 };
  async function reportFailure(line: number, why: string): Promise<void> {
    counts.failed += 1;
    bar.clear();
    await say(`Line ${line}${why}`);
  }
  for await (const { facts, lines, start, end } of factBatches(path, reportFailure)) {
    for await (const { line, problem } of client.importMemories(facts, { signal })) {
      if (problem === undefined) counts.imported += 1;
      else await reportFailure(lines[line - 1] ?? line, `: ${problem.detail}${detailOf(problem.errors)}`);
      bar.show(start + ((end - start) * line) / facts.length, `${counts.imported} imported`);
    }
  }
  bar.clear();
  await (values.json ? json(counts) : say(`${counts.imported} imported, ${counts.failed} failed`));
  return counts.failed > 0 ? 1 : undefined;
}

function detailOf(errors: readonly { pointer?: string | undefined; detail: string }[] = []): string {
  return errors.map(({ pointer = "", detail }) => ` ${pointer.slice(2)} ${detail}.`).join("");
}
