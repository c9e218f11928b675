// Scan budget: a search that no index answers reads many records. It reads them in steps, so that other requests run in
// between, and ends its page when the budget is spent. The caller continues from the returned position.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PageOf } from "#ports.ts";

/** How many steps one request may take, and how many records one step reads. A store may end a step earlier. */
const STEPS = 40;
const STEP = 500;

interface Page<T, Position> {
  readonly found: readonly T[];
  readonly next?: Position | undefined;
}

interface ScanOptions<Position> {
  readonly before?: Position | undefined;
  readonly limit: number;
  /** Ends the scan when the client goes away. */
  readonly signal?: AbortSignal | undefined;
}

export async function scanWithBudget<T, Position>(
  { before, limit, signal }: ScanOptions<Position>,
  read: (step: PageOf<Position>) => Promise<Page<T, Position>>,
): Promise<Page<T, Position>> {
  const found: T[] = [];
  let next = before;
  for (let step = 0; step < STEPS; step++) {
    if (step > 0) await nextTurn();
    signal?.throwIfAborted();
    const from = next === undefined ? {} : { before: next };
    const page = await read({ ...from, limit: Math.min(limit - found.length, STEP), scan: STEP });
    found.push(...page.found);
    next = page.next;
    if (next === undefined || found.length === limit) break;
  }
  return { found, next };
}
