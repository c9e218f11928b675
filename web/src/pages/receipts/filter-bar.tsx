import { useServiceInfo } from "#web/api/queries.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { FilterSelect } from "#web/ui/form/filter-select.tsx";
import { TimeRangeFields } from "#web/ui/form/time-range-fields.tsx";
import type { ReceiptFilters } from "./receipt-filters.ts";

interface FilterBarProps extends ReceiptFilters {
  /** The models of the receipts that are listed. */
  readonly models: readonly string[];
}

export function FilterBar({ values, isFiltered, set, clear, models }: FilterBarProps) {
  const { agents = [], namespaces = [] } = useAgentsAndNamespaces() ?? {};
  // An agent has only receipts of its own.
  const { agentId } = usePermissions();
  const model = useServiceInfo().data?.model.name;
  const allModels = [...new Set([...(model === undefined ? [] : [model]), ...models])];
  const control = (name: keyof typeof values) => ({
    value: values[name],
    onChange: (value: string) => set(name, value),
  });
  return (
    <search aria-label="Receipts" className="grid grid-cols-2 items-end gap-3 md:grid-cols-3 lg:grid-cols-4">
      {agentId === undefined && (
        <FilterSelect label="Agent" all="All agents" options={agents.map(asOption)} {...control("agentId")} />
      )}
      <FilterSelect
        label="Namespace"
        all="Any namespace"
        options={namespaces.map(asOption)}
        {...control("namespace")}
      />
      <FilterSelect label="Model" all="Any model" options={allModels.map(asOption)} {...control("model")} />
      <TimeRangeFields values={values} set={set} />
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
        label="Memories"
        all="Intact or not"
        options={[
          ["yes", "All intact"],
          ["no", "Altered or not reachable"],
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
