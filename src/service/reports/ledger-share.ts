// How many of the answers are on the ledger.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Deps } from "#service/deps.ts";
import { firstIdAt } from "#service/ids.ts";
import type { ReportRange } from "./report-range.ts";

const STEP = 1_000;
/** How many anchored receipts a report looks at, oldest first. */
const BUDGET = 200_000;

export interface LedgerShare {
  /** Complete answers and recalls, pruned ones included. */
  readonly answers: number;
  readonly onLedger: number;
  /** False: there are more anchored receipts than a report looks at. */
  readonly isComplete: boolean;
}

export async function ledgerShare(
  { records }: Pick<Deps, "records">,
  { from, to }: ReportRange,
  signal?: AbortSignal,
): Promise<LedgerShare> {
  const hours = await records.receipts.byHour(from.slice(0, 13));
  const answers = hours.filter(({ hour }) => hour < to.slice(0, 13)).reduce((sum, hour) => sum + hour.answers, 0);
  const range = { since: firstIdAt("ans", from), before: firstIdAt("ans", to) };
  let onLedger = 0;
  let after: string | undefined;
  for (let looked = 0; looked < BUDGET; looked += STEP) {
    signal?.throwIfAborted();
    const count = await records.reports.countOnLedger({ ...range, ...(after !== undefined && { after }), limit: STEP });
    onLedger += count.onLedger;
    after = count.next;
    if (after === undefined) break;
    await nextTurn();
  }
  return { answers, onLedger, isComplete: after === undefined };
}
