// The names in a policy of up to 100,000 leaves. What an agent's leaves hold is kept with them: a change of one gate
// replaces the leaves of one agent.
import type { Policy } from "#core/gate/policy.ts";

interface Names {
  readonly all: readonly string[];
  readonly open: readonly string[];
}

const kept = new WeakMap<Policy[string], Names>();

/** The namespaces of every agent's leaves, one list an agent. */
export const namespacesByAgent = (policy: Policy): readonly (readonly string[])[] =>
  Object.keys(policy).map((agentId) => namesOf(policy, agentId).all);

/** The agents and the namespaces that have an open gate. */
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
  const leaves = policy[agentId] ?? {};
  const known = kept.get(leaves);
  if (known !== undefined) return known;
  const all = Object.keys(leaves);
  const names = { all, open: all.filter((namespace) => leaves[namespace] === true) };
  kept.set(leaves, names);
  return names;
}
