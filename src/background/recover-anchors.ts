// Finishes anchors that nobody works on any more: those that an earlier process has left, and those of a replica that
// died. Nobody waits for this, so failing is only said.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";

const EVERY_MS = 30_000;

/** Now, and then regularly: what is still unfinished at the next look may be a dead one's. */
export function recoverRegularly({ ledger, records }: Deps, log: Log): { stop(): void } {
  let known: ReadonlySet<string> | undefined;
  let running = false;

  async function unfinished(): Promise<string[]> {
    const [pending, open] = await Promise.all([
      records.chainAnchors.pending(),
      records.chainAnchors.openTransactions(),
    ]);
    return [...pending.map(({ id }) => `request ${id}`), ...open.map(({ txDigest }) => txDigest)];
  }

  async function look(): Promise<void> {
    if (running) return;
    running = true;
    try {
      const found = await unfinished();
      const left = known === undefined ? found : found.filter((each) => known?.has(each));
      known = new Set(found);
      if (left.length > 0) await finish();
    } catch (error) {
      log.warn({ error }, "unfinished anchors could not be looked at");
    }
    running = false;
  }

  async function finish(): Promise<void> {
    const anchors = await ledger.recover();
    const left = (await records.chainAnchors.pending()).length;
    log.info({ finished: Math.max(anchors - left, 0), left }, "unfinished anchors of an earlier process");
  }

  void look();
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  return { stop: () => clearInterval(timer) };
}
