// All agents and namespaces that the caller knows of: from the policy, from the memories, and from its own role.
import { useMemo } from "react";
import type { Policy } from "#core/gate/policy.ts";
import { useOverview, usePolicy } from "#web/api/queries.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { COLLATOR } from "./use-kept-order.ts";

/** `undefined` until both sources are loaded, so that a list does not grow under the pointer. */
export function useAgentsAndNamespaces() {
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

type Names = Readonly<Record<"all" | "open", readonly string[]>>;

const cache = new WeakMap<Policy[string], Names>();

/** The namespaces of every agent's rules, one list an agent. */
export const namespacesByAgent = (policy: Policy): readonly (readonly string[])[] =>
  Object.keys(policy).map((agentId) => namesOf(policy, agentId).all);

export function openNames(policy: Policy) {
  const [agents, namespaces] = [new Set<string>(), new Set<string>()];
  for (const agentId of Object.keys(policy)) {
    const { open } = namesOf(policy, agentId);
    if (open.length > 0) agents.add(agentId);
    for (const namespace of open) namespaces.add(namespace);
  }
  return { agents, namespaces };
}

function namesOf(policy: Policy, agentId: string): Names {
  const rules = policy[agentId] ?? {};
  const known = cache.get(rules);
  if (known !== undefined) return known;
  const all = Object.keys(rules);
  const names = { all, open: all.filter((namespace) => rules[namespace] === true) };
  cache.set(rules, names);
  return names;
}
