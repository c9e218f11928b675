// All agents and namespaces that the service has: from the policy and from the memories.
import { useMemo } from "react";
import { rulesOf } from "#core/gate/policy.ts";
import { useOverview, usePolicy } from "#web/api/queries.ts";

interface AgentsAndNamespaces {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
}

/** `undefined` until both sources are loaded, so that a list does not grow under the pointer. */
export function useAgentsAndNamespaces(): AgentsAndNamespaces | undefined {
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
