// Pages of the policy's change log, newest version first.
import type { LeafChange } from "#core/gate/policy.ts";
import type { ChangePosition, PolicyChange, PolicyChangeFilter, PolicyChangePage } from "#ports.ts";

export interface ChangeLogQuery extends PolicyChangeFilter {
  readonly from?: ChangePosition;
  readonly limit: number;
}

/** Where the first page begins. */
export const NEWEST: ChangePosition = { version: Number.MAX_SAFE_INTEGER, leaves: 0 };

/** Of a version in which no leaf changed: it moved past that of a gate on the ledger. The log has one row for it. */
export const NO_CHANGE: readonly LeafChange[] = [{ agentId: "", namespace: "", from: null, to: null }];

/** `rows` has up to one change more than the limit. */
export function toChangePage(
  rows: readonly PolicyChange[],
  { from = NEWEST, limit }: ChangeLogQuery,
): PolicyChangePage {
  const changes = rows.slice(0, limit);
  if (rows.length <= limit) return { changes };
  const version = changes.at(-1)?.version ?? from.version;
  const leaves = changes.filter((change) => change.version === version).length;
  return { changes, next: { version, leaves: version === from.version ? from.leaves + leaves : leaves } };
}
