// Marks receipts whose answers have no end because their process is gone.
import type { Log } from "#log.ts";
import type { Deps } from "#service/deps.ts";

const INTERVAL_MS = 600_000;
/** An answer that takes longer is taken for abandoned. When it ends after all, its receipt is issued as any other. */
const LONGEST_ANSWER_MS = 3_600_000;
/** Greater than every time. */
const ALL_TIMES = "~";

type Parts = Pick<Deps, "records" | "now">;

/** For a process that makes all answers alone, before it makes any: what is open then is another's. */
export const abandonAllReceipts = (deps: Parts, log: Log) => abandon(deps, log, ALL_TIMES);

export function abandonRegularly(deps: Parts, log: Log): { stop(): void } {
  const abandonOld = () => {
    const longAgo = new Date(deps.now().getTime() - LONGEST_ANSWER_MS).toISOString();
    abandon(deps, log, longAgo).catch((error) => log.warn({ error }, "could not mark abandoned receipts"));
  };
  abandonOld();
  const timer = setInterval(abandonOld, INTERVAL_MS).unref();
  return { stop: () => clearInterval(timer) };
}

async function abandon({ records }: Parts, log: Log, openedBefore: string): Promise<void> {
  let receipts = 0;
  let marked: number;
  do {
    marked = await records.receipts.abandon(openedBefore);
    receipts += marked;
  } while (marked > 0);
  if (receipts > 0) log.warn({ receipts }, "some answers were broken off when their process ended");
}
