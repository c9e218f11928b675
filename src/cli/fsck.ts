// npm run fsck: checks the records for contradictions.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Config, readConfig } from "#config.ts";
import { readEnvironment } from "#environment.ts";
import type { Deps } from "#service/deps.ts";
import type { Difference } from "#service/operations/fsck/context.ts";
import { type FsckReport, fsck, type SkippedCheck } from "#service/operations/fsck/fsck.ts";
import { progressBar, runCommand } from "./terminal.ts";
import { withDeps } from "./with-deps.ts";

const HELP = `Checks the records for contradictions, and changes nothing. It derives every digest and blob id again, replays the
policy's change log and the local ledger, compares receipts with their search columns and counts, and compares anchors
with the ledger.

  npm run fsck -- [--deep] [--json]

  --deep   also derive blob ids of Walrus, which takes seconds each, and ask Sui for every anchor
  --json   print one JSON object and nothing else (npm run --silent fsck -- --json)

It reads the same environment as the service (DATABASE_URL, SUI_…), and may run beside it: it reads one snapshot. It
refuses a database of an older version, and never upgrades one. Each difference is one line, and never holds the text
of a memory. Exits with 0 when everything agrees, 1 when something differs, and 2 when it could not check.`;

await runCommand("fsck", 2, async () => {
  const { values } = parseArgs({
    options: { deep: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  const config = readConfig(readEnvironment());
  await withDeps(config, (deps) => check(deps, config, values));
});

async function check(
  deps: Deps,
  config: Config,
  { deep = false, json = false }: { deep?: boolean; json?: boolean },
): Promise<void> {
  const bar = progressBar(1);
  const differences: Difference[] = [];
  const { skipped, ...report } = await fsck(deps, {
    deep,
    hasKeyFile: hasKeyFile(config),
    onDifference(difference) {
      differences.push(difference);
      if (json) return;
      bar.clear();
      process.stdout.write(`${lineOf(difference)}\n`);
    },
    onProgress: (done, total) => bar.show(done / total, count(differences.length, "difference")),
  });
  bar.clear();
  const leftOut = skipped.map((check) => sentenceFor(check, deps.ledger.network));
  const text = json
    ? JSON.stringify({ ...report, leftOut, differences }, null, 2)
    : [...leftOut, summaryOf(report)].join("\n");
  process.stdout.write(`${text}\n`);
  if (differences.length > 0) process.exitCode = 1;
}

function hasKeyFile({ ledger }: Config): boolean | undefined {
  if (ledger.kind !== "local" || ledger.keyPath === undefined) return undefined;
  return [ledger.keyPath, ledger.formerKeyPath].some((path) => path !== undefined && existsSync(path));
}

/** Ids of foreign receipts may be any text, so they are quoted to stay on one line. */
function lineOf({ about, id, detail }: Difference): string {
  const name = /^[\w:.[\]",-]*$/.test(id) ? id : JSON.stringify(id);
  return `${about}${name === "" ? "" : ` ${name}`}: ${detail}`;
}

function sentenceFor(skipped: SkippedCheck, network: string): string {
  switch (skipped) {
    case "blob-ids":
      return "Blob ids of Walrus were not derived, because that takes seconds each. Use --deep to derive them.";
    case "ledger":
      return `Sui ${network} was not asked for the anchors. Use --deep to ask it.`;
  }
}

function summaryOf(report: Omit<FsckReport, "skipped">): string {
  const { differences, memories, receipts, anchors, onLedger, policyVersion } = report;
  const counted = [count(memories, "memory", "memories"), count(receipts, "receipt"), count(anchors, "anchor")];
  const checked = `${counted.join(", ")} (${onLedger} on the ledger), policy version ${policyVersion}`;
  return `${checked}: ${differences === 0 ? "everything agrees" : count(differences, "difference")}.`;
}

function count(n: number, one: string, many = `${one}s`): string {
  return `${n} ${n === 1 ? one : many}`;
}
