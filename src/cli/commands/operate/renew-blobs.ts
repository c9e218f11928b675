// Stores every blob again before its lease ends.
import type { Invocation, Run } from "#cli/invocation.ts";
import { withDeps } from "#cli/shared/with-deps.ts";
import { progressBar } from "#cli/terminal/progress-bar.ts";
import { UsageError } from "#cli/usage-error.ts";
import { readConfig } from "#config.ts";
import type { Deps } from "#service/deps.ts";
import { renew } from "#service/operations/renew-blobs.ts";

const HOUR_MS = 3_600_000;
const USUAL_HOURS = "12";

export const run: Run<"blobs renew"> = async (invocation) => {
  const hours = Number(invocation.values["older-than"] ?? USUAL_HOURS);
  if (!(hours >= 0)) throw new UsageError("--older-than takes a number of hours.");
  const config = readConfig(await invocation.serviceEnvironment());
  if (config.blobs.kind === "memory") {
    await invocation.say("In mock mode blobs are kept in memory, so there is nothing to renew.");
    return undefined;
  }
  return withDeps(config, (deps) => renewAll(invocation, deps, new Date(Date.now() - hours * HOUR_MS)));
};

async function renewAll(
  { values, err, say, json }: Invocation<"blobs renew">,
  deps: Deps,
  since: Date,
): Promise<number | undefined> {
  const bar = progressBar(err, await deps.records.blobTexts.count());
  const counts = { renewed: 0, fresh: 0, failed: 0 };
  let done = 0;
  for await (const renewal of renew(deps, { since })) {
    counts[renewal.status] += 1;
    done += 1;
    if (renewal.status === "failed") {
      bar.clear();
      await say(`${renewal.blobId}: ${renewal.error instanceof Error ? renewal.error.message : renewal.error}`);
    }
    bar.show(done, `${counts.renewed} renewed`);
  }
  bar.clear();
  const { renewed, fresh, failed } = counts;
  await (values.json ? json(counts) : say(`${renewed} renewed, ${fresh} fresh enough, ${failed} failed`));
  return failed > 0 ? 1 : undefined;
}
