// Removes receipts and decisions that are older than RETAIN_DAYS, after they are in the archive.
import type { Log } from "#log.ts";
import type { Archive } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { pruneRecords } from "#service/operations/prune-records.ts";

const INTERVAL_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Retention {
  /** 0: everything is kept for ever. */
  readonly days: number;
  /** Opens the archive of one run; absent when old records are discarded. */
  readonly openArchive?: ((now: Date) => Archive) | undefined;
}

type Pruning = Pick<Deps, "records" | "now">;

export function pruneRecordsRegularly({ records, now }: Pruning, log: Log, retention: Retention): { stop(): void } {
  const { days, openArchive } = retention;
  if (days === 0) return { stop: () => undefined };
  const stopping = new AbortController();
  let isRunning = false;

  async function prune(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const began = now();
    const archive = openArchive?.(began);
    try {
      const before = new Date(began.getTime() - days * DAY_MS).toISOString();
      const pruned = await pruneRecords(records, { before, now: began, archive, signal: stopping.signal });
      if (pruned.receipts + pruned.decisions > 0) log.info({ before, ...pruned }, "pruned old records");
    } catch (error) {
      // What is not archived stays on record.
      if (!stopping.signal.aborted) log.warn({ error }, "could not prune old records");
    } finally {
      isRunning = false;
      await archive?.close().catch(() => undefined);
    }
  }
  void prune();
  const timer = setInterval(() => void prune(), INTERVAL_MS).unref();
  return {
    stop() {
      stopping.abort();
      clearInterval(timer);
    },
  };
}
