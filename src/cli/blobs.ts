// npm run blobs -- renew: keeps the links to blobs from rotting.
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { composeParts } from "#compose.ts";
import { readConfig, readEnvironment } from "#config.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Deps } from "#service/deps.ts";
import { renew } from "#service/operations/renew-blobs.ts";
import { progressBar } from "./progress.ts";

const HELP = `Stores the blobs of every memory and anchored receipt again, before the blob store forgets them.

  npm run blobs -- renew [--older-than <hours>]

  --older-than <hours>   leave alone what was stored within so many hours (12 when left out)

It uses the environment of the service (DATABASE_URL, BLOBSTORE_…) and may run beside it. Interrupted, it goes on where
it was when it is run again. Exits with 1 when something could not be renewed.`;

const HOUR_MS = 3_600_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { "older-than": { type: "string", default: "12" }, help: { type: "boolean", short: "h" } },
});

if (values.help || positionals.length === 0) process.stdout.write(`${HELP}\n`);
else await main().catch(fail);

async function main(): Promise<void> {
  const hours = Number(values["older-than"]);
  if (positionals.join() !== "renew") throw new PortcullisError("configuration", "There is only one command: renew.");
  if (!(hours >= 0)) throw new PortcullisError("configuration", "--older-than takes a number of hours.");
  const config = readConfig(readEnvironment());
  if (config.blobs.kind === "memory") {
    process.stderr.write("In mock mode blobs are kept in memory: there is nothing to renew.\n");
    return;
  }
  const { records } = config;
  if (records.kind === "sqlite" && !existsSync(records.path))
    throw new PortcullisError("configuration", `There is no database at ${records.path}. Is DATABASE_URL right?`);
  const deps = await composeParts(config);
  try {
    await renewAll(deps, new Date(Date.now() - hours * HOUR_MS));
  } finally {
    await deps.ledger.close();
    await deps.records.close();
  }
}

async function renewAll(deps: Deps, since: Date): Promise<void> {
  const bar = progressBar({ total: await deps.records.blobTexts.count(), stream: process.stderr });
  const counts = { renewed: 0, fresh: 0, failed: 0 };
  let done = 0;
  for await (const renewal of renew(deps, { since })) {
    counts[renewal.status] += 1;
    done += 1;
    if (renewal.status === "failed") bar.say(`${renewal.blobId}: ${sentenceOf(renewal.error)}`);
    bar.show(done, `${counts.renewed} renewed`);
  }
  bar.end(`${counts.renewed} renewed, ${counts.fresh} fresh enough, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function fail(error: unknown): void {
  process.stderr.write(`blobs: ${sentenceOf(error)}\n`);
  process.exitCode = 1;
}
