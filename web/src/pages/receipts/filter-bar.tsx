import type { ReactNode } from "react";
import { useKnown } from "#web/policy/use-agents-and-namespaces.ts";
import { Button } from "#web/ui/form/button.tsx";
import { Field, Select } from "#web/ui/form/field.tsx";
import type { FilterName, FiltersInUrl } from "./receipt-filters.ts";

export function FilterBar({ filters, isFiltered, set, clear }: FiltersInUrl) {
  const known = useKnown();
  const choice = (name: FilterName) => ({
    value: filters[name] ?? "",
    onChange: (value: string) => set(name, value),
  });
  return (
    <search aria-label="Receipts" className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
      <Choice label="Agent" {...choice("agentId")}>
        <option value="">All agents</option>
        <Names names={known?.agents} chosen={filters.agentId} />
      </Choice>
      <Choice label="Namespace" {...choice("namespace")}>
        <option value="">Any, used or blocked</option>
        <Names names={known?.namespaces} chosen={filters.namespace} />
      </Choice>
      <Choice label="Anchored" {...choice("anchored")}>
        <option value="">Anchored or not</option>
        <option value="yes">Anchored</option>
        <option value="no">Not anchored</option>
      </Choice>
      <Choice label="Verified" {...choice("verified")}>
        <option value="">Verified or not</option>
        <option value="yes">All verified and intact</option>
        <option value="no">Not verified</option>
      </Choice>
      {isFiltered && (
        <Button look="plain" className="col-span-full -mt-1 justify-self-start" onClick={clear}>
          Clear all filters
        </Button>
      )}
    </search>
  );
}

function Names({
  names = [],
  chosen,
}: {
  readonly names?: readonly string[] | undefined;
  readonly chosen?: string | undefined;
}) {
  return (
    <>
      {chosen !== undefined && !names.includes(chosen) && <option value={chosen}>{chosen}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </>
  );
}

interface ChoiceProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly children: ReactNode;
}

const Choice = ({ label, value, onChange, children }: ChoiceProps) => (
  <Field label={label}>
    {(control) => (
      <Select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
        {children}
      </Select>
    )}
  </Field>
);
