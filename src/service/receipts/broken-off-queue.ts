// Marks receipts as broken off. Nobody waits for a mark: the caller is gone, or is told of the failure. A mark that cannot
// be recorded, because the database is what failed, is tried again.
import type { BrokenOff, ReceiptRecords } from "#ports.ts";

export interface BrokenOffQueue {
  mark(broken: BrokenOff): void;
}

const RETRY_MS = 5_000;
/** More than these are given up. They stay opened, and are taken for abandoned later. */
const MOST_WAITING = 10_000;

export function createBrokenOffQueue(
  receipts: Pick<ReceiptRecords, "breakOff">,
  { retryMs = RETRY_MS, mostWaiting = MOST_WAITING } = {},
): BrokenOffQueue {
  let waiting: BrokenOff[] = [];
  let isWaiting = false;

  function record(broken: BrokenOff): void {
    receipts.breakOff(broken).catch(() => {
      if (waiting.length < mostWaiting) waiting.push(broken);
      if (!isWaiting) setTimeout(retry, retryMs).unref();
      isWaiting = true;
    });
  }

  function retry(): void {
    isWaiting = false;
    const again = waiting;
    waiting = [];
    for (const broken of again) record(broken);
  }

  return { mark: record };
}
