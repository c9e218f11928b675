// Forgets old idempotency keys at an interval, so that their table stays small.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";
import { sweepIdempotencyKeys } from "#service/idempotency/sweep.ts";

const INTERVAL_MS = 600_000;

export function sweepRegularly(deps: Deps, log: Log, intervalMs: number = INTERVAL_MS): { stop(): void } {
  let isRunning = false;

  async function run(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      await sweepIdempotencyKeys(deps);
    } catch (error) {
      log.warn({ error }, "old idempotency keys could not be forgotten");
    }
    isRunning = false;
  }

  const timer = setInterval(() => void run(), intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}
