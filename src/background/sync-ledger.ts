// Tells the ledger of changes of the policy soon after they were made, also when nothing is anchored: a version that was
// closed there before an answer was made is worth more than one that was closed with its anchor. One replica at a time
// does it, under the lock of anchoring. When the policy on the ledger is somebody else's to change, this reads its
// version, which receipts name.
import type { Deps } from "#service/deps.ts";

/** Versions are sent within a minute, and what was read is at most a minute old, also when one try fails. */
const INTERVAL_MS = 20_000;

export function syncLedgerRegularly(
  { ledger }: Pick<Deps, "ledger">,
  { intervalMs = INTERVAL_MS }: { readonly intervalMs?: number } = {},
): { stop(): void } {
  let isRunning = false;

  /** A failure needs no words: the ledger adapter tries again, and readiness shows what is unsent. */
  async function sync(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    await ledger.sync().catch(() => undefined);
    isRunning = false;
  }

  // The local ledger is opened for this, which takes time and memory. It must not slow down the start.
  if (ledger.network !== "local") void sync();
  const timer = setInterval(() => void sync(), intervalMs).unref();
  return { stop: () => clearInterval(timer) };
}
