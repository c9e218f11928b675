// Renews blobs at an interval, when the configuration sets one.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";
import { renew } from "#service/operations/renew-blobs.ts";

const HOUR_MS = 3_600_000;

/** Runs never overlap. The first one starts after one interval, because blobs last longer than that. */
export function renewRegularly(deps: Deps, log: Log, everyHours: number | undefined): { stop(): void } {
  let [isRunning, isStopped] = [false, false];

  async function run(intervalMs: number): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const counts = { renewed: 0, fresh: 0, failed: 0 };
    try {
      for await (const { status } of renew(deps, { since: new Date(Date.now() - intervalMs / 2) })) {
        counts[status] += 1;
        if (isStopped) break;
      }
    } catch (error) {
      log.error({ error }, "renewing blobs failed");
    }
    isRunning = false;
    log.info(counts, "blobs renewed");
  }

  const intervalMs = (everyHours ?? 0) * HOUR_MS;
  const timer = intervalMs > 0 ? setInterval(() => void run(intervalMs), intervalMs).unref() : undefined;
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
