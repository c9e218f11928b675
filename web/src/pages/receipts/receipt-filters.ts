// Which receipts to list is in the address.

import type { Query } from "#contract/routes.ts";
import { useSearchParams } from "#web/lib/use-search-params.ts";

const NAMES = ["agentId", "namespace", "anchored", "verified"] as const;
const YES_OR_NO: ReadonlySet<string> = new Set(["yes", "no"]);

export type FilterName = (typeof NAMES)[number];
export type Filters = Pick<Query<"listReceipts">, FilterName>;

export interface FiltersInUrl {
  readonly filters: Filters;
  readonly isFiltered: boolean;
  readonly set: (name: FilterName, value: string) => void;
  readonly clear: () => void;
}

export function useFilters(): FiltersInUrl {
  const [search, setSearch] = useSearchParams();
  const given = NAMES.flatMap((name) => {
    const value = search.get(name) ?? "";
    const isChoice = name === "anchored" || name === "verified";
    return value === "" || (isChoice && !YES_OR_NO.has(value)) ? [] : [[name, value] as const];
  });
  return {
    filters: Object.fromEntries(given),
    isFiltered: given.length > 0,
    set(name, value) {
      setSearch((before) => {
        const after = new URLSearchParams(before);
        if (value === "") after.delete(name);
        else after.set(name, value);
        return after;
      });
    },
    clear: () => setSearch({}),
  };
}
