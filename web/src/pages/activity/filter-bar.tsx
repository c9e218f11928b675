import { ACTIVITY_KINDS } from "#core/activity-kind.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { FilterSelect } from "#web/ui/form/filter-select.tsx";
import { TimeRangeFields } from "#web/ui/form/time-range-fields.tsx";
import type { ActivityFilters } from "./activity-filters.ts";
import { KIND_NAMES } from "./kind-names.ts";

export function FilterBar({ values, isFiltered, set, clear }: ActivityFilters) {
  const { agents = [], namespaces = [] } = useAgentsAndNamespaces() ?? {};
  // An agent reads its own rows only.
  const { agentId } = usePermissions();
  const control = (name: "kind" | "agentId" | "namespace") => ({
    value: values[name],
    onChange: (value: string) => set(name, value),
  });
  return (
    <search aria-label="Activity" className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
      <FilterSelect
        label="What"
        all="Everything"
        options={ACTIVITY_KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
        {...control("kind")}
      />
      {agentId === undefined && (
        <FilterSelect label="Agent" all="All agents" options={agents.map(asOption)} {...control("agentId")} />
      )}
      <FilterSelect
        label="Namespace"
        all="Any namespace"
        options={namespaces.map(asOption)}
        {...control("namespace")}
      />
      <TimeRangeFields values={values} set={set} />
      {isFiltered && (
        <Button look="plain" className="col-span-full -mt-1 justify-self-start" onClick={clear}>
          Clear all filters
        </Button>
      )}
    </search>
  );
}

const asOption = (name: string) => [name, name] as const;
