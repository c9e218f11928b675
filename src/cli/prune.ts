// npm run prune: exports and removes old receipts and decisions once.
import { parseArgs } from "node:util";
import { archiveIn, recordsOf } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { configurationError } from "#core/errors.ts";
import { readEnvironment } from "#environment.ts";
import { pruneRecords } from "#service/operations/prune-records.ts";
import { progressBar, runCommand } from "./terminal.ts";
import { parseTime } from "./time-option.ts";

const HELP = `Writes receipts and decisions that are older than a time to a folder, then removes them from the records.

  npm run prune -- --before <time> --export <folder> [--dry-run]

  --before <time>     such as 2026-01-01 or 2026-01-01T12:00:00Z
  --export <folder>   where to write them first (default: RETAIN_EXPORT); none discards them
  --dry-run           count them, and change nothing

Anchored receipts stay, and so do memories, the policy and its change log. The files are JSON lines, compressed with
gzip, readable by their owner alone. The command reads the same environment as the service, and may run beside it.
A file of SQLite does not shrink: its free pages are used again. Exits with 1 when something failed.`;

await runCommand("prune", 1, async () => {
  const { values } = parseArgs({
    options: {
      before: { type: "string" },
      export: { type: "string" },
      "dry-run": { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) return void process.stdout.write(`${HELP}\n`);
  if (!values.before) throw configurationError("Name a time with --before. --help shows how.");
  const environment = readEnvironment();
  const config = readConfig(environment);
  const now = new Date();
  const before = timeIn(values.before, now);
  const isDryRun = values["dry-run"];
  const target = values.export ?? environment.RETAIN_EXPORT?.trim();
  const folder = target === "none" ? undefined : target;
  if (!target && !isDryRun)
    throw configurationError(
      "Name a folder with --export, or set RETAIN_EXPORT. --export none discards what is removed.",
    );

  const records = await recordsOf(config, { serves: false });
  const archive = !folder || isDryRun ? undefined : archiveIn(folder, now);
  const bar = progressBar(1);
  try {
    const { receipts, decisions, lists } = await pruneRecords(records, {
      before,
      now,
      archive,
      isDryRun,
      onProgress: (pruned) => bar.show(0, `${pruned.receipts} receipts, ${pruned.decisions} decisions`),
    });
    const what = `${receipts} receipts, ${decisions} decisions`;
    bar.print(
      isDryRun
        ? `${what} are older than ${before}.`
        : `Removed ${what} older than ${before}, and ${lists} lists of names.`,
    );
  } finally {
    bar.clear();
    await archive?.close();
    await records.close();
  }
});

function timeIn(text: string, now: Date): string {
  const time = parseTime(text);
  if (time !== undefined && time < now) return time.toISOString();
  throw configurationError("--before takes a time in the past, such as 2026-01-01 or 2026-01-01T12:00:00Z.");
}
