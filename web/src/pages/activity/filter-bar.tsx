import type { Reply } from "#contract/routes.ts";
import { ACTIVITY_KINDS, type ActivityKind } from "#core/activity-kind.ts";
import { TIME_FILTERS, type TimeValues, timesOf } from "#web/lib/time-range.ts";
import type { Filters, FilterValues } from "#web/lib/use-filters.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { asOptions, ClearFilters, FilterSelect, TimeRangeFields } from "#web/ui/name-fields.tsx";

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
        <FilterSelect label="Agent" all="All agents" options={asOptions(agents)} {...control("agentId")} />
      )}
      <FilterSelect label="Namespace" all="Any namespace" options={asOptions(namespaces)} {...control("namespace")} />
      <TimeRangeFields values={values} set={set} />
      <ClearFilters isFiltered={isFiltered} clear={clear} />
    </search>
  );
}

export const ACTIVITY_FILTERS = {
  kind: { values: ACTIVITY_KINDS },
  agentId: {},
  namespace: {},
  ...TIME_FILTERS,
} as const;

export type ActivityFilters = Filters<typeof ACTIVITY_FILTERS>;

/** What the service is asked for. */
export function queryOf({ range, from, to, ...rest }: FilterValues<typeof ACTIVITY_FILTERS>) {
  return { ...rest, ...timesOf({ range, from, to } as TimeValues) };
}

/** How a reader chooses among them. */
const KIND_NAMES: Readonly<Record<ActivityKind, string>> = {
  answer: "Answers",
  read: "Memories read",
  capture: "Captures",
  policy: "Gates opened and closed",
  forgetting: "Memories forgotten",
  anchor: "Anchors",
  setting: "Settings and keys",
  refusal: "Refused calls",
  failure: "Failures",
};

export type Decision = Reply<"listDecisions">["decisions"][number];
