// The namespaces with memories, divided into those that an agent may use and the blocked ones. A division is kept for
// each agent until its part of the policy or the set of namespaces changes, so that a recall does not sort thousands of
// names. It depends on names alone, and receipts publish these anyway.
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { divide } from "#core/gate/gate.ts";
import { type Policy, revokedNamespaces } from "#core/gate/policy.ts";
import { createRecentlyUsed } from "./recently-used.ts";

export interface Division {
  /** Each in UTF-8 order. */
  readonly allowed: readonly string[];
  readonly blocked: readonly string[];
  /** The namespaces with a leaf of `false` for this agent. */
  readonly revoked: readonly string[];
}

const AGENTS_KEPT = 64;

export function createNamespaceDivisions() {
  const existing = new Set<string>();
  /** Namespaces that are blocked for everybody, whatever the policy says: their key is not here. */
  const locked = new Set<string>();
  let sorted: readonly string[] = [];
  /** Names that are not in `sorted` yet, or are and should not be. */
  const moved = new Set<string>();
  const divisions = createRecentlyUsed<string, { readonly policy: Policy; readonly division: Division }>(AGENTS_KEPT);

  /** Sorts what is nearly sorted, which takes few comparisons. */
  function namespaces(): readonly string[] {
    if (moved.size === 0) return sorted;
    const stayed = sorted.filter((name) => !moved.has(name));
    sorted = [...stayed, ...[...moved].filter((name) => existing.has(name)).sort(byUtf8)].sort(byUtf8);
    moved.clear();
    return sorted;
  }

  function withoutLocked(divided: Pick<Division, "allowed" | "blocked">) {
    if (!divided.allowed.some((name) => locked.has(name))) return divided;
    const allowed = divided.allowed.filter((name) => !locked.has(name));
    const isAllowed = new Set(allowed);
    return { allowed, blocked: namespaces().filter((name) => !isAllowed.has(name)) };
  }

  return {
    /** Says whether the namespace has memories now. */
    set(namespace: string, hasMemories: boolean): void {
      if (existing.has(namespace) === hasMemories) return;
      if (hasMemories) existing.add(namespace);
      else existing.delete(namespace);
      moved.add(namespace);
      divisions.clear();
    },

    /** Says whether the namespace is blocked for everybody. */
    setLocked(namespace: string, isLocked: boolean): void {
      if (locked.has(namespace) === isLocked) return;
      if (isLocked) locked.add(namespace);
      else locked.delete(namespace);
      divisions.clear();
    },

    /** `policy` is the agent's part of the policy, the same object until it changes. */
    of(agentId: string, policy: Policy): Division {
      const make = () => {
        const { allowed, blocked } = withoutLocked(divide(agentId, namespaces(), policy));
        return { policy, division: { allowed, blocked, revoked: revokedNamespaces(policy, agentId) } };
      };
      const kept = divisions.get(agentId, make);
      if (kept.policy === policy) return kept.division;
      divisions.delete(agentId);
      return divisions.get(agentId, make).division;
    },
  };
}
