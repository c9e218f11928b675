// What an operator wants to know of a deployment, and what no service of ours keeps.
import { statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { ChainAnchorRecords, LabelValues, Metrics } from "#ports.ts";

/** A scrape must not read a long table. */
const MOST_COUNTED = 1_000;

interface Deployment {
  readonly build: LabelValues<"buildInfo">;
  readonly chainAnchors: Pick<ChainAnchorRecords, "countPending">;
  /** The SQLite file, if there is one. */
  readonly file: string | undefined;
}

export function gaugeDeployment(metrics: Pick<Metrics, "gauge">, { build, chainAnchors, file }: Deployment): void {
  metrics.gauge("buildInfo", () => 1, ...build);
  metrics.gauge("anchorsPending", () => chainAnchors.countPending(MOST_COUNTED));
  if (file !== undefined) metrics.gauge("diskFree", () => freeSpaceOf(file));
}

/** The bytes that this process may still write where the file is. */
async function freeSpaceOf(file: string): Promise<number> {
  const { bavail, bsize } = await statfs(dirname(file));
  return bavail * bsize;
}
