import { ACTIVITY_KINDS } from "#core/activity-kind.ts";
import { TIME_FILTERS, type TimeValues, timesOf } from "#web/lib/time-range.ts";
import type { Filters, FilterValues } from "#web/lib/use-filters.ts";

export const ACTIVITY_FILTERS = {
  kind: { values: ACTIVITY_KINDS },
  agentId: {},
  namespace: {},
  ...TIME_FILTERS,
} as const;

export type ActivityFilters = Filters<typeof ACTIVITY_FILTERS>;

/** What the service is asked for. */
export function queryOf({ range, from, to, ...rest }: FilterValues<typeof ACTIVITY_FILTERS>) {
  return { ...rest, ...timesOf({ range, from, to } as TimeValues) };
}
