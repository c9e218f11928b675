import { useServiceInfo } from "#web/api/queries.ts";
import { TIME_FILTERS } from "#web/lib/time-range.ts";
import type { Filters } from "#web/lib/use-filters.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { asOptions, ClearFilters, FilterSelect, TimeRangeFields } from "#web/ui/name-fields.tsx";

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
        <FilterSelect label="Agent" all="All agents" options={asOptions(agents)} {...control("agentId")} />
      )}
      <FilterSelect label="Namespace" all="Any namespace" options={asOptions(namespaces)} {...control("namespace")} />
      <FilterSelect label="Model" all="Any model" options={asOptions(allModels)} {...control("model")} />
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
          ["begun", "In progress"],
          ["broken-off", "Broken off"],
        ]}
        {...control("status")}
      />
      <ClearFilters isFiltered={isFiltered} clear={clear} />
    </search>
  );
}

const YES_OR_NO = ["yes", "no"] as const;

export const RECEIPT_FILTERS = {
  agentId: {},
  namespace: {},
  model: {},
  ...TIME_FILTERS,
  anchored: { values: YES_OR_NO },
  verified: { values: YES_OR_NO },
  status: { values: ["issued", "begun", "broken-off"] },
} as const;

export type ReceiptFilters = Filters<typeof RECEIPT_FILTERS>;
