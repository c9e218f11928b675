import type { Filters } from "#web/lib/use-filters.ts";

export const MEMORY_FILTERS = { q: { replacesHistory: true }, namespace: {}, sourceAgent: {} } as const;

export type MemoryFilters = Filters<typeof MEMORY_FILTERS>;
