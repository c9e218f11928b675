import { useEffect, useState } from "react";
import { useMemoryCounts, useOverview } from "#web/api/queries.ts";
import type { Filters } from "#web/lib/use-filters.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Checkbox, SearchField } from "#web/ui/form.tsx";
import { ClearFilters, FilterSelect } from "#web/ui/name-fields.tsx";

const MAX_SEARCH_LENGTH = 200;
const DEBOUNCE_MS = 250;

export function FilterBar({ values, isFiltered, set, clear }: MemoryFilters) {
  const memories = useOverview().data?.memories;
  const { may } = usePermissions();
  const known = useAgentsAndNamespaces()?.namespaces ?? [];
  // Only who sees the overview has the counts, and the names of the agents that memories came from.
  const maySeeCounts = may("getOverview");
  const countOf = useMemoryCounts();
  const namespaces = known.filter((name) => countOf(name) !== 0).map((name) => optionWithCount(name, countOf(name)));
  return (
    <search aria-label="Memories" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-[minmax(0,2fr)_1fr_1fr]">
      <SearchBox value={values.q ?? ""} onChange={(q) => set("q", q)} />
      <FilterSelect
        label="Namespace"
        all="All namespaces"
        value={values.namespace}
        options={namespaces}
        onChange={(namespace) => set("namespace", namespace)}
      />
      {(maySeeCounts || values.sourceAgent !== undefined) && (
        <FilterSelect
          label="Source agent"
          all="All agents"
          value={values.sourceAgent}
          options={(memories?.bySourceAgent ?? []).map(({ sourceAgent, count }) => optionWithCount(sourceAgent, count))}
          onChange={(sourceAgent) => set("sourceAgent", sourceAgent)}
        />
      )}
      <div className="-mt-1 flex flex-wrap items-center gap-x-6 sm:col-span-2 xl:col-span-3">
        <Checkbox
          checked={values.superseded === "true"}
          onChange={({ target }) => set("superseded", target.checked ? "true" : "")}
        >
          Show superseded memories
        </Checkbox>
        <ClearFilters isFiltered={isFiltered} clear={clear} />
      </div>
    </search>
  );
}

const optionWithCount = (name: string, count?: number) =>
  [name, count === undefined ? name : `${name} (${count.toLocaleString("en")})`] as const;

/** A debounced search field: it reports the text when the user stops typing. */
function SearchBox({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  // The URL changed without typing here: the filters were cleared, or the user went back.
  if (value !== reported) {
    setReported(value);
    setText(value);
  }
  const next = text.trim() === "" ? "" : text;
  useEffect(() => {
    if (next === reported) return;
    const timer = setTimeout(() => {
      setReported(next);
      onChange(next);
    }, DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [next, reported, onChange]);
  const props = { value: text, maxLength: MAX_SEARCH_LENGTH, onChange: setText };
  return <SearchField {...props} label="Search the text" className="sm:col-span-2 xl:col-span-1" />;
}

export const MEMORY_FILTERS = {
  q: { replacesHistory: true },
  namespace: {},
  sourceAgent: {},
  /** History: the memories whose place others took. */
  superseded: { values: ["true"] },
} as const;

export type MemoryFilters = Filters<typeof MEMORY_FILTERS>;
