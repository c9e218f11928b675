// Forgets memories whose time is over. None of them is recalled meanwhile: the records leave them out.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Log } from "#log.ts";
import { EXPIRED_AT_ONCE } from "#service/answers/gatekeeper.ts";
import { expiryDecision } from "#service/decisions/expiry-decision.ts";
import type { Deps } from "#service/deps.ts";

const INTERVAL_MS = 5_000;

type Parts = Pick<Deps, "records" | "gatekeeper" | "blobs">;

export function forgetExpiredRegularly(
  { records, gatekeeper, blobs }: Parts,
  log: Log,
  intervalMs = INTERVAL_MS,
): { stop(): void } {
  let isStopped = false;
  let isRunning = false;

  async function sweep(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    let forgotten = 0;
    try {
      for (let count = 1; count > 0 && !isStopped; await nextTurn()) {
        count = await records.memories.forgetExpired(EXPIRED_AT_ONCE, expiryDecision(gatekeeper.lastPolicyVersion()));
        forgotten += count;
      }
    } catch (error) {
      log.warn({ error }, "could not forget expired memories");
    } finally {
      isRunning = false;
    }
    if (forgotten === 0) return;
    blobs.dropCache?.();
    gatekeeper.wake();
    log.info({ forgotten }, "forgot expired memories");
  }

  void sweep();
  const timer = setInterval(() => void sweep(), intervalMs).unref();
  return {
    stop() {
      isStopped = true;
      clearInterval(timer);
    },
  };
}
