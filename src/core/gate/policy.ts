// The policy: which agent may use which namespace. Deny by default: only a rule that is exactly `true` allows.

/** Agent id -> namespace -> allowed. A name may be any string, also `__proto__`, so build policies with `policyFrom`. */
export type Policy = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

export interface AccessRule {
  readonly agentId: string;
  readonly namespace: string;
  readonly allowed: boolean;
}

/** A rule as it is to be. Null: there is to be none, and then the namespace is blocked. */
export interface WantedRule extends Omit<AccessRule, "allowed"> {
  readonly allowed: boolean | null;
}

/** A change of one rule. Null: there was, or is, no rule. */
export interface RuleChange extends Omit<AccessRule, "allowed"> {
  readonly from: boolean | null;
  readonly to: boolean | null;
}

/** The version counts the changes, and only grows. */
export interface VersionedPolicy {
  readonly policy: Policy;
  readonly version: number;
}

export function isAllowed(policy: Policy, agentId: string, namespace: string): boolean {
  const rules = rulesOfAgent(policy, agentId);
  return Object.hasOwn(rules, namespace) && rules[namespace] === true;
}

/** Whether somebody closed the namespace to the agent. One that nobody ever opened is not revoked. */
export function isRevoked(policy: Policy, agentId: string, namespace: string): boolean {
  const rules = rulesOfAgent(policy, agentId);
  return Object.hasOwn(rules, namespace) && rules[namespace] === false;
}

export function revokedNamespaces(policy: Policy, agentId: string): string[] {
  const rules = rulesOfAgent(policy, agentId);
  return Object.keys(rules).filter((namespace) => rules[namespace] === false);
}

/** The change that setting a rule makes, if any. What was never opened is blocked, and needs no rule for that. */
export function changeBy({ agentId, namespace, allowed }: WantedRule, from: boolean | null): RuleChange | undefined {
  const to = allowed || from !== null ? allowed : null;
  return to === from ? undefined : { agentId, namespace, from, to };
}

/** What tells rules apart: a policy has one for each agent and namespace. */
export const keyOf = ({ agentId, namespace }: Omit<AccessRule, "allowed">): string =>
  JSON.stringify([agentId, namespace]);

export function policyFrom(rules: Iterable<AccessRule>): Policy {
  const policy: Record<string, Record<string, boolean>> = Object.create(null);
  for (const { agentId, namespace, allowed } of rules) {
    policy[agentId] ??= Object.create(null) as Record<string, boolean>;
    policy[agentId][namespace] = allowed;
  }
  return policy;
}

export function withRule(policy: Policy, { agentId, namespace, allowed }: AccessRule): Policy {
  const rules = Object.assign(Object.create(null), rulesOfAgent(policy, agentId), { [namespace]: allowed });
  return Object.assign(Object.create(null), policy, { [agentId]: rules });
}

export function rulesOf(policy: Policy): AccessRule[] {
  return Object.keys(policy).flatMap((agentId) =>
    Object.entries(policy[agentId] ?? {}).map(([namespace, allowed]) => ({ agentId, namespace, allowed })),
  );
}

/** Of one agent. Own properties only, here and in it: a name such as `constructor` must not find an inherited one. */
const rulesOfAgent = (policy: Policy, agentId: string): Policy[string] =>
  (Object.hasOwn(policy, agentId) ? policy[agentId] : undefined) ?? {};

// Namespaces whose names have parts, joined by `/`: `trips` holds `trips/2026`, and not `tripsheets`.

/** Whether the namespace is the one of this name, or below it. Without a prefix, every one is. */
export const isWithin = (namespace: string, prefix: string | undefined): boolean =>
  prefix === undefined || namespace === prefix || namespace.startsWith(`${prefix}/`);
