import type { Filters } from "#web/lib/use-filters.ts";

export const MEMORY_FILTERS = {
  q: { replacesHistory: true },
  namespace: {},
  sourceAgent: {},
  /** History: the memories whose place others took. */
  superseded: { values: ["true"] },
  /** The id of the only memory to show, from a link. */
  memory: {},
} as const;

export type MemoryFilters = Filters<typeof MEMORY_FILTERS>;
