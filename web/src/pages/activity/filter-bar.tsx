import type { Reply } from "#contract/routes.ts";
import { ACTIVITY_KINDS, type ActivityKind } from "#core/activity-kind.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { TIME_FILTERS, type TimeValues, timesOf } from "#web/lib/time-range.ts";
import type { Filters, FilterValues } from "#web/lib/use-filters.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { asOptions, ClearFilters, FilterSelect, TimeRangeFields } from "#web/ui/name-fields.tsx";

interface FilterBarProps extends ActivityFilters {
  readonly models: readonly string[];
}

export function FilterBar({ values, isFiltered, set, clear, models }: FilterBarProps) {
  const { agents = [], namespaces = [] } = useAgentsAndNamespaces() ?? {};
  const model = useServiceInfo().data?.model.name;
  // An agent reads its own rows only.
  const { agentId } = usePermissions();
  const select = (
    name: Exclude<keyof typeof values, "range" | "from" | "to">,
    label: string,
    all: string,
    options: readonly (readonly [string, string])[],
  ) => <FilterSelect {...{ label, all, options }} value={values[name]} onChange={(value) => set(name, value)} />;
  return (
    <search aria-label="Activity" className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
      {select(
        "kind",
        "What",
        "Everything",
        ACTIVITY_KINDS.map((kind) => [kind, KIND_NAMES[kind]]),
      )}
      {agentId === undefined && select("agentId", "Agent", "All agents", asOptions(agents))}
      {select("namespace", "Namespace", "Any namespace", asOptions(namespaces))}
      <TimeRangeFields values={values} set={set} />
      {values.kind === "answer" && (
        <>
          {select(
            "model",
            "Model",
            "Any model",
            asOptions([...new Set([...(model === undefined ? [] : [model]), ...models])]),
          )}
          {select("anchored", "Anchored", "Anchored or not", ANCHORED)}
          {select("verified", "Memories", "Intact or not", VERIFIED)}
          {select("status", "Answer", "Complete or not", STATUS)}
        </>
      )}
      <ClearFilters isFiltered={isFiltered} clear={clear} />
    </search>
  );
}

const ANCHORED = [
  ["yes", "Anchored"],
  ["no", "Not anchored"],
] as const;
const VERIFIED = [
  ["yes", "All intact"],
  ["no", "Altered or not reachable"],
] as const;
const STATUS = [
  ["issued", "Complete"],
  ["begun", "In progress"],
  ["broken-off", "Broken off"],
] as const;
const YES_OR_NO = ["yes", "no"] as const;

export const ACTIVITY_FILTERS = {
  kind: { values: ACTIVITY_KINDS },
  agentId: {},
  namespace: {},
  ...TIME_FILTERS,
  /** Of one request. */
  requestId: {},
  // Of answers alone: what their receipts say.
  model: {},
  anchored: { values: YES_OR_NO },
  verified: { values: YES_OR_NO },
  status: { values: ["issued", "begun", "broken-off"] },
} as const;

export type ActivityFilters = Filters<typeof ACTIVITY_FILTERS>;
type Values = FilterValues<typeof ACTIVITY_FILTERS>;

/** What the service is asked for of its log. */
export function queryOf({ range, from, to, model, anchored, verified, status, ...rest }: Values) {
  return { ...rest, ...timesOf({ range, from, to } as TimeValues) };
}

/** And of its receipts. */
export function receiptQueryOf({ range, from, to, kind, requestId, ...rest }: Values) {
  return { ...rest, ...timesOf({ range, from, to } as TimeValues) };
}

/** How a reader chooses among them. */
const KIND_NAMES: Readonly<Record<ActivityKind, string>> = {
  answer: "Answers and receipts",
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
