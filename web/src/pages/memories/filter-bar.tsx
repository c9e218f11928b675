import { useEffect, useState } from "react";
import { queryKeys } from "#web/api/client.ts";
import { useMemoryCounts, useOverview } from "#web/api/queries.ts";
import { useSettled } from "#web/api/use-settled.ts";
import type { Filters } from "#web/lib/use-filters.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Checkbox, SearchField } from "#web/ui/form.tsx";
import { ClearFilters, FilterSelect } from "#web/ui/name-fields.tsx";
import { Disclosure } from "#web/ui/page.tsx";

const MAX_SEARCH_LENGTH = 200;

export function FilterBar({ values, isFiltered, set, clear }: MemoryFilters) {
  const memories = useOverview().data?.memories;
  const { may } = usePermissions();
  const known = useAgentsAndNamespaces()?.namespaces ?? [];
  const countOf = useMemoryCounts();
  const namespaces = known.filter((name) => countOf(name) !== 0).map((name) => optionWithCount(name, countOf(name)));
  // Of the moment in which the page opens: it does not close on whoever takes the last filter off.
  const [isOpen] = useState(values.namespace ?? values.sourceAgent ?? values.superseded);
  return (
    <search aria-label="Memories" className="grid grid-cols-1 gap-1">
      <SearchBox value={values.q ?? ""} onChange={(q) => set("q", q)} />
      <Disclosure summary="Filter" open={isOpen !== undefined}>
        <div className="grid items-end gap-3 sm:grid-cols-2 xl:grid-cols-3">
          <FilterSelect
            label="Namespace"
            all="All namespaces"
            value={values.namespace}
            options={namespaces}
            onChange={(namespace) => set("namespace", namespace)}
          />
          {/* Only who sees the overview has the names of the agents that memories came from. */}
          {(may("getOverview") || values.sourceAgent !== undefined) && (
            <FilterSelect
              label="Source agent"
              all="All agents"
              value={values.sourceAgent}
              options={(memories?.bySourceAgent ?? []).map((row) => optionWithCount(row.sourceAgent, row.count))}
              onChange={(sourceAgent) => set("sourceAgent", sourceAgent)}
            />
          )}
          <Checkbox
            checked={values.superseded === "true"}
            onChange={({ target }) => set("superseded", target.checked ? "true" : "")}
          >
            Show superseded memories
          </Checkbox>
        </div>
      </Disclosure>
      <ClearFilters isFiltered={isFiltered} clear={clear} />
    </search>
  );
}

const optionWithCount = (name: string, count?: number) =>
  [name, count === undefined ? name : `${name} (${count.toLocaleString("en")})`] as const;

/** It reports the text when the typing pauses. */
function SearchBox({ value, onChange }: { readonly value: string; readonly onChange: (value: string) => void }) {
  const [text, setText] = useState(value);
  const [reported, setReported] = useState(value);
  // The URL changed without typing here: the filters were cleared, or the user went back.
  if (value !== reported) {
    setReported(value);
    setText(value);
  }
  const next = text.trim() === "" ? "" : text;
  const settled = useSettled(next, queryKeys.memories);
  useEffect(() => {
    // It settles later than the URL may change.
    if (settled !== next || next === reported) return;
    setReported(next);
    onChange(next);
  }, [settled, next, reported, onChange]);
  return <SearchField label="Search the text" value={text} maxLength={MAX_SEARCH_LENGTH} onChange={setText} />;
}

export const MEMORY_FILTERS = {
  q: { replacesHistory: true },
  namespace: {},
  sourceAgent: {},
  /** History: the memories whose place others took. */
  superseded: { values: ["true"] },
} as const;

export type MemoryFilters = Filters<typeof MEMORY_FILTERS>;
