// Checks the records for contradictions.
import { existsSync } from "node:fs";
import type { Invocation, Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { type Config, readConfig } from "#config.ts";
import type { Deps } from "#service/deps.ts";
import type { Difference } from "#service/operations/fsck/context.ts";
import { type FsckReport, fsck, type SkippedCheck } from "#service/operations/fsck/fsck.ts";

export const run: Run<"fsck"> = async (invocation) => {
  const config = readConfig(await invocation.serviceEnvironment());
  return withDeps(config, (deps) => check(invocation, deps, config));
};

async function check(
  { values, err, print, json }: Invocation<"fsck">,
  deps: Deps,
  config: Config,
): Promise<number | undefined> {
  const bar = progressBar(err, 1);
  const differences: Difference[] = [];
  let printed = Promise.resolve();
  const { skipped, ...report } = await fsck(deps, {
    deep: values.deep ?? false,
    hasKeyFile: hasKeyFile(config),
    onDifference(difference) {
      differences.push(difference);
      if (values.json) return;
      bar.clear();
      printed = printed.then(() => print(lineOf(difference)));
      // It rejects below.
      printed.catch(() => undefined);
    },
    onProgress: (done, total) => bar.show(done / total, count(differences.length, "difference")),
  });
  bar.clear();
  await printed;
  const leftOut = skipped.map((check) => sentenceFor(check, deps.ledger.network));
  if (values.json) await json({ ...report, leftOut, differences });
  else await print([...leftOut, summaryOf(report)].join("\n"));
  return differences.length > 0 ? 1 : undefined;
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
