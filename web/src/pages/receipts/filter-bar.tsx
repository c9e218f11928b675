import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { FilterSelect } from "#web/ui/form/filter-select.tsx";
import type { ReceiptFilters } from "./receipt-filters.ts";

export function FilterBar({ values, isFiltered, set, clear }: ReceiptFilters) {
  const { agents = [], namespaces = [] } = useAgentsAndNamespaces() ?? {};
  // An agent has only receipts of its own.
  const { agentId } = usePermissions();
  const control = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (value: string) => set(name, value),
  });
  return (
    <search aria-label="Receipts" className="grid grid-cols-2 items-end gap-3 lg:grid-cols-5">
      {agentId === undefined && (
        <FilterSelect label="Agent" all="All agents" options={agents.map(asOption)} {...control("agentId")} />
      )}
      <FilterSelect
        label="Namespace"
        all="Used or blocked"
        options={namespaces.map(asOption)}
        {...control("namespace")}
      />
      <FilterSelect
        label="Anchored"
        all="Anchored or not"
        options={[
          ["yes", "Anchored"],
          ["no", "Not anchored"],
        ]}
        {...control("anchored")}
      />
      <FilterSelect
        label="Verified"
        all="Verified or not"
        options={[
          ["yes", "All verified and intact"],
          ["no", "Not verified"],
        ]}
        {...control("verified")}
      />
      <FilterSelect
        label="Answer"
        all="Complete or not"
        options={[
          ["issued", "Complete"],
          ["opened", "In progress"],
          ["broken-off", "Broken off"],
        ]}
        {...control("status")}
      />
      {isFiltered && (
        <Button look="plain" className="col-span-full -mt-1 justify-self-start" onClick={clear}>
          Clear all filters
        </Button>
      )}
    </search>
  );
}

const asOption = (name: string) => [name, name] as const;
