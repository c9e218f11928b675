// Finishes anchors that no process works on any more: those of an earlier process, and those of a replica that died.
// No caller waits for them, so a failure is only logged.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";

const INTERVAL_MS = 30_000;

/** Recovers now, and then at an interval. After the first time, only anchors that the previous check found as well. */
export function recoverRegularly({ ledger, records }: Deps, log: Log): { stop(): void } {
  let previous: ReadonlySet<string> | undefined;
  let isRunning = false;

  async function unfinished(): Promise<string[]> {
    const [pending, open] = await Promise.all([
      records.chainAnchors.pending(),
      records.chainAnchors.openTransactions(),
    ]);
    return [...pending.map(({ id }) => `request ${id}`), ...open.map(({ txDigest }) => txDigest)];
  }

  async function check(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    try {
      const found = await unfinished();
      const abandoned = previous === undefined ? found : found.filter((each) => previous?.has(each));
      previous = new Set(found);
      if (abandoned.length > 0) await recover();
    } catch (error) {
      log.warn({ error }, "could not check for unfinished anchors");
    }
    isRunning = false;
  }

  async function recover(): Promise<void> {
    const anchors = await ledger.recover();
    const left = (await records.chainAnchors.pending()).length;
    log.info({ finished: Math.max(anchors - left, 0), left }, "recovered unfinished anchors");
  }

  void check();
  const timer = setInterval(() => void check(), INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}
