// All agents and namespaces that the caller knows of: from the policy, from the memories, and from its own role.
import { useMemo } from "react";
import { useOverview, usePolicy } from "#web/api/queries.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { namespacesByAgent } from "./policy-names.ts";
import { COLLATOR } from "./use-kept-order.ts";

interface AgentsAndNamespaces {
  readonly agents: readonly string[];
  readonly namespaces: readonly string[];
}

/** `undefined` until both sources are loaded, so that a list does not grow under the pointer. */
export function useAgentsAndNamespaces(): AgentsAndNamespaces | undefined {
  const { agentId, governed, may } = usePermissions();
  const policy = usePolicy({ enabled: may("getPolicy") }).data?.policy;
  const { data: overview, isPending } = useOverview();
  const isLoading = isPending && may("getOverview");
  return useMemo(() => {
    if (policy === undefined || isLoading) return undefined;
    return {
      agents: sorted(Object.keys(policy), overview?.agents ?? [], agentId === undefined ? [] : [agentId]),
      namespaces: sorted(
        ...namespacesByAgent(policy),
        (overview?.memories.byNamespace ?? []).map(({ namespace }) => namespace),
        governed ?? [],
      ),
    };
  }, [policy, overview, isLoading, agentId, governed]);
}

/** Without duplicates. The lists have 100,000 names at most, and few different ones. */
function sorted(...lists: readonly (readonly string[])[]): string[] {
  const names = new Set<string>();
  for (const list of lists) for (const name of list) names.add(name);
  return [...names].sort(COLLATOR.compare);
}
