// Exports and removes old receipts and decisions once.
import type { Run } from "#cli/invocation.ts";
import { parseTime } from "#cli/shared/time-option.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { UsageError } from "#cli/usage-error.ts";
import { archiveIn, recordsOf } from "#compose/records.ts";
import { readConfig } from "#config.ts";
import { pruneRecords } from "#service/operations/prune-records.ts";

export const run: Run<"prune"> = async ({ values, err, say, json, serviceEnvironment }) => {
  if (!values.before) throw new UsageError("Name a time with --before.");
  const environment = await serviceEnvironment();
  const config = readConfig(environment);
  const now = new Date();
  const before = timeIn(values.before, now);
  const isDryRun = values["dry-run"] ?? false;
  const target = values.export ?? environment.RETAIN_EXPORT?.trim();
  const folder = target === "none" ? undefined : target;
  if (!target && !isDryRun)
    throw new UsageError("Name a folder with --export, or set RETAIN_EXPORT. --export none discards what is removed.");

  const records = await recordsOf(config, { serves: false });
  const archive = !folder || isDryRun ? undefined : archiveIn(folder, now);
  const bar = progressBar(err, 1);
  try {
    const { receipts, decisions, lists } = await pruneRecords(records, {
      before,
      now,
      archive,
      isDryRun,
      onProgress: (pruned) => bar.show(0, `${pruned.receipts} receipts, ${pruned.decisions} decisions`),
    });
    bar.clear();
    if (values.json) return void (await json({ before, receipts, decisions, lists, dryRun: isDryRun }));
    const what = `${receipts} receipts, ${decisions} decisions`;
    await say(
      isDryRun
        ? `${what} are older than ${before}.`
        : `Removed ${what} older than ${before}, and ${lists} lists of names.`,
    );
  } finally {
    bar.clear();
    await archive?.close();
    await records.close();
  }
};

function timeIn(text: string, now: Date): string {
  const time = parseTime(text);
  if (time !== undefined && time < now) return time.toISOString();
  throw new UsageError("--before takes a time in the past, such as 2026-01-01 or 2026-01-01T12:00:00Z.");
}
