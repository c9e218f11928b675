import { TIME_FILTERS } from "#web/lib/time-range.ts";
import type { Filters } from "#web/lib/use-filters.ts";

const YES_OR_NO = ["yes", "no"] as const;

export const RECEIPT_FILTERS = {
  agentId: {},
  namespace: {},
  model: {},
  ...TIME_FILTERS,
  anchored: { values: YES_OR_NO },
  verified: { values: YES_OR_NO },
  status: { values: ["issued", "opened", "broken-off"] },
} as const;

export type ReceiptFilters = Filters<typeof RECEIPT_FILTERS>;
