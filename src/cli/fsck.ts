// npm run fsck: are the records what they should be?
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { composeParts } from "#compose.ts";
import { type Config, readConfig, readEnvironment } from "#config.ts";
import { PortcullisError } from "#core/errors.ts";
import { type Difference, type Fsck, fsck } from "#service/operations/fsck/fsck.ts";
import { progressBar } from "./progress.ts";

const HELP = `Checks the records: derives every digest and blob id again, adds the policy's change log up, compares receipts with
what they are found and counted by, replays the local ledger, and looks whether all of it agrees. Changes nothing.

  npm run fsck -- [--deep] [--json]

  --deep   also derives blob ids of Walrus, which takes seconds each, and asks Sui for every anchor
  --json   nothing but JSON on standard output (npm run --silent fsck -- --json)

It uses the environment of the service (DATABASE_URL, SUI_…) and may run beside it: it reads the state of one moment. Each
difference is one line, without the text of any memory. Exits with 0 when all agrees, 1 when something differs, and 2
when it could not look.`;

try {
  const { values } = parseArgs({
    options: { deep: { type: "boolean" }, json: { type: "boolean" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) process.stdout.write(`${HELP}\n`);
  else await main({ deep: values.deep === true, json: values.json === true });
} catch (error) {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  process.stderr.write(`fsck: ${message}${cause instanceof Error ? ` (${cause.message})` : ""}\n`);
  process.exitCode = 2;
}

async function main({ deep, json }: { deep: boolean; json: boolean }): Promise<void> {
  const config = readConfig(readEnvironment());
  const { records } = config;
  if (records.kind === "sqlite" && !existsSync(records.path))
    throw new PortcullisError("configuration", `There is no database at ${records.path}. Is DATABASE_URL right?`);
  const deps = await composeParts(config);
  const bar = progressBar({ total: 1, stream: process.stderr });
  const found: Difference[] = [];
  try {
    const report = await fsck(deps, {
      deep,
      hasKeyFile: hasKeyFile(config),
      onDifference(difference) {
        found.push(difference);
        if (json) return;
        bar.clear();
        process.stdout.write(`${lineOf(difference)}\n`);
      },
      onProgress: (done, total) => bar.show(done / total, `${found.length} differences`),
    });
    bar.clear();
    process.stdout.write(json ? `${JSON.stringify({ ...report, differences: found }, null, 2)}\n` : summaryOf(report));
    if (found.length > 0) process.exitCode = 1;
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}

function hasKeyFile({ ledger }: Config): boolean | undefined {
  return ledger.kind === "local" && ledger.keyPath !== undefined ? existsSync(ledger.keyPath) : undefined;
}

/** Ids of others' receipts may be any text, and must stay on their line. */
function lineOf({ about, id, detail }: Difference): string {
  const name = /^[\w:.[\]",-]*$/.test(id) ? id : JSON.stringify(id);
  return `${about}${name === "" ? "" : ` ${name}`}: ${detail}`;
}

function summaryOf({ differences, memories, receipts, anchors, onLedger, policyVersion, leftOut }: Fsck): string {
  const looked = `${memories} memories, ${receipts} receipts, ${anchors} anchors (${onLedger} on the ledger), policy version ${policyVersion}`;
  const verdict =
    differences === 0 ? "all agrees" : `${differences} ${differences === 1 ? "difference" : "differences"}`;
  return `${[...leftOut, `${looked}: ${verdict}.`].join("\n")}\n`;
}
