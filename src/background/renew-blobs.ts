// Renews blobs in the background, when the configuration says so.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";
import { renew } from "#service/operations/renew-blobs.ts";

const HOUR_MS = 3_600_000;

/** One run at a time; the first after one interval, because what was stored before is good for longer. */
export function renewRegularly(deps: Deps, log: Log, everyHours: number | undefined): { stop(): void } {
  let [running, stopped] = [false, false];

  async function run(intervalMs: number): Promise<void> {
    if (running) return;
    running = true;
    const counts = { renewed: 0, fresh: 0, failed: 0 };
    try {
      for await (const { status } of renew(deps, { since: new Date(Date.now() - intervalMs / 2) })) {
        counts[status] += 1;
        if (stopped) break;
      }
    } catch (error) {
      log.error({ error }, "renewing broke off");
    }
    running = false;
    log.info(counts, "blobs renewed");
  }

  const intervalMs = (everyHours ?? 0) * HOUR_MS;
  const timer = intervalMs > 0 ? setInterval(() => void run(intervalMs), intervalMs).unref() : undefined;
  return {
    stop() {
      stopped = true;
      clearInterval(timer);
    },
  };
}
