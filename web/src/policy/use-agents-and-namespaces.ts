// All agents and namespaces that the caller knows of: from the policy, from the memories, and from its own role.
import { useMemo } from "react";
import { rulesOf } from "#core/gate/policy.ts";
import { useOverview, usePolicy } from "#web/api/queries.ts";
import { usePermissions } from "#web/session/use-permissions.ts";

interface AgentsAndNamespaces {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
}

/** `undefined` until both sources are loaded, so that a list does not grow under the pointer. */
export function useAgentsAndNamespaces(): AgentsAndNamespaces | undefined {
  const policy = usePolicy().data?.policy;
  const { data: overview, isPending } = useOverview();
  const { agentId, governed, may } = usePermissions();
  const isLoading = isPending && may("getOverview");
  return useMemo(() => {
    if (policy === undefined || isLoading) return undefined;
    const rules = rulesOf(policy);
    return {
      agents: sorted([
        ...rules.map(({ agentId }) => agentId),
        ...(overview?.agents ?? []),
        ...(agentId === undefined ? [] : [agentId]),
      ]),
      namespaces: sorted([
        ...rules.map(({ namespace }) => namespace),
        ...(overview?.memories.byNamespace ?? []).map(({ namespace }) => namespace),
        ...(governed ?? []),
      ]),
    };
  }, [policy, overview, isLoading, agentId, governed]);
}

const sorted = (names: readonly string[]): string[] => [...new Set(names)].sort((a, b) => a.localeCompare(b));
