// What to list is in the address: it can be linked to, and the way back leads back.
import { useSearchParams } from "#web/lib/use-search-params.ts";

const NAMES = ["q", "namespace", "sourceAgent"] as const;

export type FilterName = (typeof NAMES)[number];
export type Filters = { readonly [N in FilterName]?: string };

export interface FiltersInUrl {
  readonly filters: Filters;
  readonly isFiltered: boolean;
  readonly set: (name: FilterName, value: string) => void;
  readonly clear: () => void;
}

/** The service refuses what has only white space in it. */
const isGiven = (value: string | null): value is string => value !== null && value.trim() !== "";

export function useFilters(): FiltersInUrl {
  const [search, setSearch] = useSearchParams();
  const given = NAMES.flatMap((name) => {
    const value = search.get(name);
    return isGiven(value) ? [[name, value] as const] : [];
  });
  return {
    filters: Object.fromEntries(given),
    isFiltered: given.length > 0,
    set(name, value) {
      // Typing a word must not fill the history with its letters.
      setSearch((before) => changed(before, name, value), { replace: name === "q" });
    },
    clear: () => setSearch({}),
  };
}

function changed(before: URLSearchParams, name: FilterName, value: string): URLSearchParams {
  const after = new URLSearchParams(before);
  if (isGiven(value)) after.set(name, value);
  else after.delete(name);
  return after;
}
