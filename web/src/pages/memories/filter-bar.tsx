import { useEffect, useState } from "react";
import { useOverview } from "#web/api/client.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select, TextInput } from "#web/ui/form/field.tsx";
import type { FiltersInUrl } from "./memory-filters.ts";

const LONGEST_SEARCH = 200;
const TYPING_MS = 250;

export function FilterBar({ filters, isFiltered, set, clear }: FiltersInUrl) {
  const memories = useOverview().data?.memories;
  return (
    <search aria-label="Memories" className="grid gap-3 sm:grid-cols-2 xl:grid-cols-[minmax(0,2fr)_1fr_1fr]">
      <SearchBox className="sm:col-span-2 xl:col-span-1" value={filters.q ?? ""} onChange={(q) => set("q", q)} />
      <Choice
        label="Namespace"
        all="All namespaces"
        value={filters.namespace ?? ""}
        options={(memories?.byNamespace ?? []).map(({ namespace, count }) => [namespace, count])}
        onChange={(namespace) => set("namespace", namespace)}
      />
      <Choice
        label="Told by"
        all="All agents"
        value={filters.sourceAgent ?? ""}
        options={(memories?.bySourceAgent ?? []).map(({ sourceAgent, count }) => [sourceAgent, count])}
        onChange={(sourceAgent) => set("sourceAgent", sourceAgent)}
      />
      {isFiltered && (
        <Button look="plain" className="-mt-1 justify-self-start sm:col-span-2 xl:col-span-3" onClick={clear}>
          Clear all filters
        </Button>
      )}
    </search>
  );
}

interface SearchBoxProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className: string;
}

/** Tells what was typed once the typing pauses. */
function SearchBox({ value, onChange, className }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const [told, setTold] = useState(value);
  // The address changed otherwise than by typing here: a filter cleared, the way back taken.
  if (value !== told) {
    setTold(value);
    setTyped(value);
  }
  const next = typed.trim() === "" ? "" : typed;
  useEffect(() => {
    if (next === told) return;
    const timer = setTimeout(() => {
      setTold(next);
      onChange(next);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [next, told, onChange]);
  return (
    <Field label="Search the text" className={className}>
      {(control) => (
        <TextInput
          {...control}
          type="search"
          value={typed}
          maxLength={LONGEST_SEARCH}
          autoComplete="off"
          onChange={({ target }) => setTyped(target.value)}
        />
      )}
    </Field>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly all: string;
  readonly value: string;
  readonly options: readonly (readonly [name: string, count: number])[];
  readonly onChange: (value: string) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  const isListed = value === "" || options.some(([name]) => name === value);
  return (
    <Field label={label}>
      {(control) => (
        <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="">{all}</option>
          {!isListed && <option value={value}>{value}</option>}
          {options.map(([name, count]) => (
            <option key={name} value={name}>
              {name} ({count.toLocaleString("en")})
            </option>
          ))}
        </Select>
      )}
    </Field>
  );
}
