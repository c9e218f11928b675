// Scan budget: a search that no index answers reads many records. It reads them in steps, so that other requests run in
// between, and ends its page when the budget is spent. The caller continues from the returned position.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { PageOf } from "#ports.ts";

/** How many records one request may read, and how many one step reads. */
const BUDGET = 20_000;
const STEP = 5_000;

interface Page<T, Position> {
  readonly found: readonly T[];
  readonly next?: Position | undefined;
}

export async function scanWithBudget<T, Position>(
  { before, limit }: { readonly before?: Position | undefined; readonly limit: number },
  read: (step: PageOf<Position>) => Promise<Page<T, Position>>,
): Promise<Page<T, Position>> {
  const found: T[] = [];
  let next = before;
  for (let scanned = 0; scanned < BUDGET; scanned += STEP) {
    if (scanned > 0) await nextTurn();
    const from = next === undefined ? {} : { before: next };
    const page = await read({ ...from, limit: limit - found.length, scan: STEP });
    found.push(...page.found);
    next = page.next;
    if (next === undefined || found.length === limit) break;
  }
  return { found, next };
}
