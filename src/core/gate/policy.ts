// Who may use what. Deny by default: only a leaf that is exactly `true` allows.

/** Agent id -> namespace -> allowed. Names are any strings, `__proto__` too: build one with `policyFrom` only. */
export type Policy = Readonly<Record<string, Readonly<Record<string, boolean>>>>;

export interface AccessRule {
  readonly agentId: string;
  readonly namespace: string;
  readonly allowed: boolean;
}

/** A policy and how many changes led to it. The version only ever grows. */
export interface VersionedPolicy {
  readonly policy: Policy;
  readonly version: number;
}

export function isAllowed(policy: Policy, agentId: string, namespace: string): boolean {
  return leaf(policy, agentId, namespace) === true;
}

/** The namespaces that were closed to the agent by a decision, and not merely never opened. */
export function revokedNamespaces(policy: Policy, agentId: string): string[] {
  const leaves = Object.hasOwn(policy, agentId) ? policy[agentId] : undefined;
  return Object.keys(leaves ?? {}).filter((namespace) => leaf(policy, agentId, namespace) === false);
}

export function policyFrom(rules: Iterable<AccessRule>): Policy {
  const policy: Record<string, Record<string, boolean>> = Object.create(null);
  for (const { agentId, namespace, allowed } of rules) {
    policy[agentId] ??= Object.create(null) as Record<string, boolean>;
    policy[agentId][namespace] = allowed;
  }
  return policy;
}

export function rulesOf(policy: Policy): AccessRule[] {
  return Object.keys(policy).flatMap((agentId) =>
    Object.entries(policy[agentId] ?? {}).map(([namespace, allowed]) => ({ agentId, namespace, allowed })),
  );
}

// Own properties only: a name such as `constructor` must not find what every object inherits.
function leaf(policy: Policy, agentId: string, namespace: string): boolean | undefined {
  const leaves = Object.hasOwn(policy, agentId) ? policy[agentId] : undefined;
  return leaves !== undefined && Object.hasOwn(leaves, namespace) ? leaves[namespace] : undefined;
}
