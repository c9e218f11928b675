// The filters of a list, kept in the query of the URL: a filtered list can be linked to, and the back button works.
import { useSearchParams } from "./address.ts";

interface Filter {
  /** The values that the filter may have; any text when left out. */
  readonly values?: readonly string[];
  /** A change replaces the entry in the browser's history, for a filter that changes with every key. */
  readonly replacesHistory?: boolean;
}

/** The filters that a list has, by their names in the URL. */
type FilterDefinitions = Readonly<Record<string, Filter>>;

/** The filters that are set. */
export type FilterValues<D extends FilterDefinitions> = {
  readonly [N in keyof D]?: D[N] extends { readonly values: readonly (infer V)[] } ? V : string;
};

export interface Filters<D extends FilterDefinitions> {
  readonly values: FilterValues<D>;
  readonly isFiltered: boolean;
  /** An empty value removes the filter. */
  readonly set: (name: keyof D & string, value: string) => void;
  readonly clear: () => void;
}

export function useFilters<D extends FilterDefinitions>(definitions: D): Filters<D> {
  const [search, setSearch] = useSearchParams();
  const values = readFilters(definitions, search);
  return {
    values,
    isFiltered: Object.keys(values).length > 0,
    set(name, value) {
      setSearch((before) => withFilter(before, name, value), {
        replace: definitions[name]?.replacesHistory === true,
      });
    },
    clear() {
      setSearch({});
      // The button that clears them is gone afterwards.
      document.querySelector<HTMLElement>("search select")?.focus();
    },
  };
}

export function readFilters<D extends FilterDefinitions>(definitions: D, search: URLSearchParams): FilterValues<D> {
  const entries = Object.entries(definitions).flatMap(([name, { values }]) => {
    const value = search.get(name) ?? "";
    return isBlank(value) || values?.includes(value) === false ? [] : [[name, value] as const];
  });
  return Object.fromEntries(entries) as FilterValues<D>;
}

function withFilter(before: URLSearchParams, name: string, value: string): URLSearchParams {
  const after = new URLSearchParams(before);
  if (isBlank(value)) after.delete(name);
  else after.set(name, value);
  return after;
}

/** The service refuses a filter that has only white space. */
const isBlank = (value: string): boolean => value.trim() === "";
