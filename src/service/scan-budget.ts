// Bounded pages. A search that no index answers reads in steps, so that other requests run in between, and ends its
// page when the scan budget is spent, or before it has more bytes than a reply may have.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PageOf } from "#ports.ts";

/** How many records one request may read, and how many one step reads. A store may end a step earlier. */
const BUDGET = 20_000;
const STEP = 500;
/** For a page as JSON, with some room for what is around its items. */
export const PAGE_BYTES = 1_000_000;
/** For a page of a stream, which waits in memory until its client takes it. */
export const STREAM_PAGE_BYTES = 30_000;

interface Page<T, Position> {
  readonly found: readonly T[];
  readonly next?: Position | undefined;
}

/** Without `bytes`, the page may have `PAGE_BYTES`. */
interface ScanOptions<Position> extends Omit<PageOf<Position>, "scan"> {
  readonly signal?: AbortSignal | undefined;
}

export async function scanWithBudget<T, Position>(
  { before, limit, signal, bytes: room = PAGE_BYTES }: ScanOptions<Position>,
  read: (step: PageOf<Position>) => Promise<Page<T, Position>>,
): Promise<Page<T, Position>> {
  const found: T[] = [];
  let next = before;
  let bytes = room;
  for (let scanned = 0; scanned < BUDGET; scanned += STEP) {
    if (scanned > 0) await nextTurn();
    signal?.throwIfAborted();
    const page = await read({ before: next, limit: Math.min(limit - found.length, STEP), scan: STEP, bytes });
    bytes -= page.found.reduce((sum, item) => sum + weightOf(item), 0);
    // The first step has at least one item, whatever it weighs. What does not fit is left to the next page.
    if (bytes < 0 && found.length > 0) break;
    found.push(...page.found);
    next = page.next;
    if (next === undefined || found.length === limit || bytes < room * LIKELY_FULL) break;
  }
  return { found, next };
}

/** With less than this share of the room left, another step is not worth its reading. */
const LIKELY_FULL = 0.25;

/** In bytes, as JSON, with the comma. */
export const weightOf = (item: unknown): number => Buffer.byteLength(JSON.stringify(item)) + 1;
