// A search without an index to answer it looks at many records. It does so in steps, between which others are served,
// and gives up its page when it has looked at enough: whoever asked may go on from there.
import { setImmediate as turn } from "node:timers/promises";

/** How many records one request looks at. */
const SCAN = 20_000;
const STEP = 5_000;

interface Step<T, Position> {
  readonly found: readonly T[];
  readonly next?: Position | undefined;
}

/** `look` reads one step of `scan` records, from `before` on, for at most `limit` finds. */
export async function bounded<T, Position>(
  { before, limit }: { readonly before?: Position | undefined; readonly limit: number },
  look: (step: {
    readonly before?: Position;
    readonly limit: number;
    readonly scan: number;
  }) => Promise<Step<T, Position>>,
): Promise<Step<T, Position>> {
  const found: T[] = [];
  let next = before;
  for (let scanned = 0; scanned < SCAN; scanned += STEP) {
    if (scanned > 0) await turn();
    const from = next === undefined ? {} : { before: next };
    const step = await look({ ...from, limit: limit - found.length, scan: STEP });
    found.push(...step.found);
    next = step.next;
    if (next === undefined || found.length === limit) break;
  }
  return { found, next };
}
