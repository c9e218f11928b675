// All policies over three agents and three namespaces, and what each means.
import type { AccessRule } from "#core/gate/policy.ts";

export const AGENTS = ["a", "b", "companion"];
export const NAMESPACES = ["x", "y", "z"];
export const ALL_POLICIES = 512;

export interface Expected {
  readonly used: readonly string[];
  readonly blocked: readonly string[];
}

/** One boolean for each agent and namespace. */
function bitsOf(policy: number): boolean[] {
  return Array.from({ length: 9 }, (_, i) => (policy & (1 << i)) !== 0);
}

/** The oracle: the whole of the rule, and nothing of how it is done. */
export function oracle(policy: number, agent: string): Expected {
  const bits = bitsOf(policy);
  const isOpen = (namespace: string) => bits[AGENTS.indexOf(agent) * 3 + NAMESPACES.indexOf(namespace)] === true;
  return { used: NAMESPACES.filter(isOpen), blocked: NAMESPACES.filter((namespace) => !isOpen(namespace)) };
}

/** Every other policy leaves out what is closed: no rule must mean what `false` means. */
export function rulesOf(policy: number): AccessRule[] {
  const rules = bitsOf(policy).map((allowed, i) => ({
    agentId: AGENTS[Math.trunc(i / 3)] as string,
    namespace: NAMESPACES[i % 3] as string,
    allowed,
  }));
  return policy % 2 === 0 ? rules : rules.filter(({ allowed }) => allowed);
}

/** Spread over all of them; the one that blocks everything and the one that allows everything are among any eight. */
export function somePolicies(count: number): number[] {
  return Array.from({ length: count }, (_, i) => (i * 73) % ALL_POLICIES);
}
