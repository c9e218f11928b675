// Writes snapshots of the recall index now and then, so that a restart need not build it from all memories.
import { orAfter } from "#async/with-deadline.ts";
import type { Deps } from "#service/deps.ts";

const INTERVAL_MS = 2_000;
/** For the snapshots at the end of the process. */
const GRACE_MS = 5_000;

export function saveRegularly({ gatekeeper }: Pick<Deps, "gatekeeper">) {
  let isRunning = false;
  async function save(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    await gatekeeper.saveSnapshots();
    isRunning = false;
  }
  const timer = setInterval(() => void save(), INTERVAL_MS).unref();
  return {
    /** Writes a last time. What is not written within a grace is left out. */
    async stop(): Promise<void> {
      clearInterval(timer);
      const signal = AbortSignal.timeout(GRACE_MS);
      await orAfter(2 * GRACE_MS, gatekeeper.saveSnapshots({ isLast: true, signal }), undefined);
    },
  };
}
