// Figures for whoever answers for the service. Each is computed from a bounded number of records, in short steps.
import type { Deps } from "#service/deps.ts";
import { ledgerShare } from "./ledger-share.ts";
import { preventedByWeek } from "./prevented-by-week.ts";
import { rangeOf } from "./report-range.ts";
import { revokeSummary } from "./revoke-summary.ts";
import { unusedGates } from "./unused-gates.ts";

export interface ReportQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function reports(deps: Deps, { signal, ...query }: ReportQuery) {
  const range = rangeOf(query, deps.now().getTime());
  const prevented = await preventedByWeek(deps, range, signal);
  const ledger = await ledgerShare(deps, range, signal);
  const revokes = await revokeSummary(deps, range);
  const gates = await unusedGates(deps, signal);
  return { ...range, prevented, ledger, revokes, gates };
}
