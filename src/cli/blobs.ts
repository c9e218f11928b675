// npm run blobs -- renew: stores every blob again before its lease ends.
import { parseArgs } from "node:util";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import type { Deps } from "#service/deps.ts";
import { renew } from "#service/operations/renew-blobs.ts";
import { progressBar, runCommand } from "./terminal.ts";
import { withDeps } from "./with-deps.ts";

const HELP = `Stores the blobs of every memory and anchored receipt again, before the blob store forgets them.

  npm run blobs -- renew [--older-than <hours>]

  --older-than <hours>   skip blobs that were stored within this many hours (default: 12)

It reads the same environment as the service (DATABASE_URL, BLOBSTORE_…), and may run beside it. An interrupted run
continues where it stopped when it is started again. Exits with 1 when a blob could not be renewed.`;

const HOUR_MS = 3_600_000;

await runCommand("blobs", 1, async () => {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { "older-than": { type: "string", default: "12" }, help: { type: "boolean", short: "h" } },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (positionals.join() !== "renew") throw configurationError("The only command is renew. --help shows how.");
  const hours = Number(values["older-than"]);
  if (!(hours >= 0)) throw configurationError("--older-than takes a number of hours.");
  const config = readConfig(readEnvironment());
  if (config.blobs.kind === "memory") {
    process.stderr.write("In mock mode blobs are kept in memory, so there is nothing to renew.\n");
    return;
  }
  await withDeps(config, (deps) => renewAll(deps, new Date(Date.now() - hours * HOUR_MS)));
});

async function renewAll(deps: Deps, since: Date): Promise<void> {
  const bar = progressBar(await deps.records.blobTexts.count());
  const counts = { renewed: 0, fresh: 0, failed: 0 };
  let done = 0;
  for await (const renewal of renew(deps, { since })) {
    counts[renewal.status] += 1;
    done += 1;
    if (renewal.status === "failed") {
      bar.print(`${renewal.blobId}: ${renewal.error instanceof Error ? renewal.error.message : renewal.error}`);
    }
    bar.show(done, `${counts.renewed} renewed`);
  }
  bar.print(`${counts.renewed} renewed, ${counts.fresh} fresh enough, ${counts.failed} failed`);
  if (counts.failed > 0) process.exitCode = 1;
}
