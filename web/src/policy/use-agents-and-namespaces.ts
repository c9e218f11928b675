// The names there are: of agents and of namespaces, from the policy and from what is on record.
import { useMemo } from "react";
import { rulesOf } from "#core/gate/policy.ts";
import { useOverview, usePolicy } from "#web/api/client.ts";

interface Known {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
}

/** `undefined` until both are known: a list that grows under the pointer is worse than a skeleton. */
export function useKnown(): Known | undefined {
  const policy = usePolicy().data?.policy;
  const { data: overview, isPending } = useOverview();
  return useMemo(() => {
    if (policy === undefined || isPending) return undefined;
    const rules = rulesOf(policy);
    return {
      agents: sorted([...rules.map(({ agentId }) => agentId), ...(overview?.agents ?? [])]),
      namespaces: sorted([
        ...rules.map(({ namespace }) => namespace),
        ...(overview?.memories.byNamespace ?? []).map(({ namespace }) => namespace),
      ]),
    };
  }, [policy, overview, isPending]);
}

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b));
