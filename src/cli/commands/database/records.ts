// Checks, prunes and renews what is on record.
import { existsSync } from "node:fs";
import { type Invocation, type Runs, UsageError } from "#cli/invocation.ts";
import { inEveryTenant } from "#cli/shared/database.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { archiveOf } from "#compose/records.ts";
import { type Config, readConfig } from "#config.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import type { Difference } from "#service/operations/fsck/context.ts";
import { type Checked, type FsckReport, fsck, type SkippedCheck } from "#service/operations/fsck/fsck.ts";
import { pruneRecords } from "#service/operations/prune-records.ts";
import { type Renewal, renew } from "#service/operations/renew-blobs.ts";
import type { Tenant } from "#service/tenant.ts";

export const runs: Runs<"fsck" | "prune" | "blobs renew"> = {
  async fsck(invocation) {
    const config = readConfig(await invocation.serviceEnvironment());
    let differences = 0;
    const checkOne = async (tenant: Checked) => {
      differences += await check(invocation, tenant, config);
    };
    await inEveryTenant(config, checkOne, invocation.values);
    return differences > 0 ? 1 : undefined;
  },

  async prune({ values, err, tell, serviceEnvironment }) {
    const { before, dryRun = false } = values;
    if (before === undefined) throw new UsageError("Name a time with --before.");
    const environment = await serviceEnvironment();
    const config = readConfig(environment);
    const now = new Date();
    const target = values.export ?? environment.RETAIN_EXPORT?.trim();
    const folder = target === "none" ? undefined : target;
    if (!target && !dryRun)
      throw new UsageError(
        "Name a folder with --export, or set RETAIN_EXPORT. --export none discards what is removed.",
      );

    const bar = progressBar(err, 1);
    const all = { receipts: 0, decisions: 0, lists: 0 };
    const pruneOne = async (tenant: Pick<Tenant, "records" | "number" | "id">) => {
      const archive = !folder || dryRun ? undefined : archiveOf(tenant, folder, now);
      const onProgress = (pruned: typeof all) =>
        bar.show(0, `${all.receipts + pruned.receipts} receipts, ${all.decisions + pruned.decisions} decisions`);
      try {
        const pruned = await pruneRecords(tenant.records, { before, now, archive, isDryRun: dryRun, onProgress });
        for (const kind of ["receipts", "decisions", "lists"] as const) all[kind] += pruned[kind];
      } finally {
        bar.clear();
        await archive?.close();
      }
    };
    await inEveryTenant(config, pruneOne, values);
    const what = `${all.receipts} receipts, ${all.decisions} decisions`;
    const say = dryRun
      ? `${what} are older than ${before}.`
      : `Removed ${what} older than ${before}, and ${all.lists} lists of names.`;
    return tell({ before, ...all, dryRun }, { say });
  },

  async "blobs renew"(invocation) {
    const hours = Number(invocation.values.olderThan ?? USUAL_HOURS);
    if (!(hours >= 0)) throw new UsageError("--older-than takes a number of hours.");
    const config = readConfig(await invocation.serviceEnvironment());
    if (config.blobs.kind === "memory")
      return invocation.say("In mock mode blobs are kept in memory, so there is nothing to renew.");
    const since = new Date(Date.now() - hours * HOUR_MS);
    const counts = { renewed: 0, fresh: 0, failed: 0 };
    await inEveryTenant(config, (tenant) => renewAll(invocation, tenant, since, counts), invocation.values);
    const { renewed, fresh, failed } = counts;
    await invocation.tell(counts, { say: `${renewed} renewed, ${fresh} fresh enough, ${failed} failed` });
    return failed > 0 ? 1 : undefined;
  },
};

async function check(
  { values, err, print, json }: Invocation<"fsck">,
  tenant: Checked,
  config: Config,
): Promise<number> {
  const bar = progressBar(err, 1);
  // A deployment of one tenant need not know the word.
  const isDefault = tenant.number === DEFAULT_TENANT.number;
  const line = (text: string) => print(isDefault ? text : `${tenant.id}: ${text}`);
  const differences: Difference[] = [];
  let printed = Promise.resolve();
  const { skipped, ...report } = await fsck(tenant, {
    deep: values.deep ?? false,
    hasKeyFile: hasKeyFile(config),
    onDifference(difference) {
      differences.push(difference);
      if (values.json) return;
      bar.clear();
      printed = printed.then(() => line(lineOf(difference)));
      // It rejects below.
      printed.catch(() => undefined);
    },
    onProgress: (done, total) => bar.show(done / total, count(differences.length, "difference")),
  });
  bar.clear();
  await printed;
  const leftOut = skipped.map((check) => sentenceFor(check, tenant.ledger.network));
  if (values.json) await json({ ...(!isDefault && { tenant: tenant.id }), ...report, leftOut, differences });
  else for (const text of [...leftOut, summaryOf(report)]) await line(text);
  return differences.length;
}

function hasKeyFile({ ledger }: Config): boolean | undefined {
  if (ledger.kind !== "local" || ledger.keyPath === undefined) return undefined;
  return existsSync(ledger.keyPath);
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

const count = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`;

const HOUR_MS = 3_600_000;
const USUAL_HOURS = "12";

async function renewAll(
  { err, say }: Invocation<"blobs renew">,
  tenant: Pick<Tenant, "records" | "stored" | "blobs" | "now">,
  since: Date,
  counts: Record<Renewal["status"], number>,
): Promise<void> {
  const bar = progressBar(err, await tenant.records.blobTexts.count());
  let done = 0;
  for await (const renewal of renew(tenant, { since })) {
    counts[renewal.status] += 1;
    done += 1;
    if (renewal.status === "failed") {
      bar.clear();
      await say(`${renewal.blobId}: ${renewal.error instanceof Error ? renewal.error.message : renewal.error}`);
    }
    bar.show(done, `${counts.renewed} renewed`);
  }
  bar.clear();
}
