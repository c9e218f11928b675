// All agents and namespaces that the caller knows of: from the policy, from the memories, and from its own role.
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Policy } from "#core/gate/policy.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useOverview, usePolicy } from "#web/api/queries.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { COLLATOR } from "./use-kept-order.ts";

/** `undefined` until both sources are loaded, so that a list does not grow under the pointer. */
export function useAgentsAndNamespaces() {
  const { agentId, governed, may } = usePermissions();
  const policy = usePolicy({ enabled: may("getPolicy") }).data?.policy;
  const { data: overview, isPending } = useOverview();
  const all = useQuery({
    queryKey: [...queryKeys.namespaces, "all"],
    queryFn: allNamespaces,
    // Beyond a thousand the overview leaves some out.
    enabled: overview !== undefined && overview.memories.byNamespace.length < overview.memories.namespaces,
  });
  const isLoading = (isPending && may("getOverview")) || all.isLoading;
  return useMemo(() => {
    if (policy === undefined || isLoading) return undefined;
    return {
      agents: sorted(Object.keys(policy), overview?.agents ?? [], agentId === undefined ? [] : [agentId]),
      namespaces: sorted(
        ...namespacesByAgent(policy),
        (overview?.memories.byNamespace ?? []).map(({ namespace }) => namespace),
        all.data ?? [],
        governed ?? [],
      ),
    };
  }, [policy, overview, all.data, isLoading, agentId, governed]);
}

async function allNamespaces(): Promise<readonly string[]> {
  const names: string[] = [];
  for await (const { namespaces } of client.listNamespaces.pages({ limit: 1_000 }))
    names.push(...namespaces.map(({ name }) => name));
  return names;
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
