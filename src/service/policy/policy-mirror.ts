// The policy of this moment, in memory, and the namespaces that it divides. It reads the change feed of the records
// before it says anything, so that nothing is decided on an older state than the caller has seen.
import { coalesce } from "#async/coalesce.ts";
import { lruCache } from "#core/collections/lru-cache.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { type Division, divide } from "#core/gate/gate.ts";
import { type Policy, revokedNamespaces } from "#core/gate/policy.ts";
import { NO_RULES, type PolicyRules, policyOf, rulesFrom, withChange } from "#core/gate/policy-rules.ts";
import type { Memory } from "#core/memory.ts";
import type { ChangeFeed, Metrics, NamespaceHead, PolicyUpdate, ReadSet } from "#ports.ts";

/** Never changed: a reader may keep it. */
export interface VersionedRules {
  readonly rules: PolicyRules;
  readonly version: number;
  readonly digest: string;
}

/** The state that a read set is read in. */
export type FenceState = Required<Pick<ReadSet, "policyVersion" | "policyDigest" | "removals">>;

/** The policy of one moment, for one agent, and the namespaces that had memories at that moment. */
export interface AgentPolicy extends AgentDivision, FenceState {
  /** The agent's part. The same object until a rule of the agent changes. */
  readonly policy: Policy;
}

const AGENTS_KEPT = 256;

export type FollowedMirror = ReturnType<typeof createPolicyMirror>;
/** What services may ask. */
export type PolicyMirror = Omit<FollowedMirror, "refresh" | "onHeads" | "lastPosition">;

export function createPolicyMirror(changeFeed: Pick<ChangeFeed, "since">, metrics?: Pick<Metrics, "gauge">) {
  const divisions = createNamespaceDivisions();
  const ofAgents = lruCache<Policy>(AGENTS_KEPT);
  const listeners: ((heads: readonly NamespaceHead[]) => void)[] = [];
  let current: VersionedRules = { rules: NO_RULES, version: -1, digest: "" };
  let position = 0;
  let removals = 0;
  metrics?.gauge("policyVersion", () => current.version);

  /** Afterwards the mirror is at least as new as the call. */
  const refresh = coalesce(async () => {
    const snapshot = await changeFeed.since({ position, ...stateOf(current) });
    // No other code runs before all of the snapshot is taken over, so policy and heads are always of one moment.
    for (const head of snapshot.heads) {
      divisions.set(head.namespace, head.memories > 0);
      divisions.setLocked(head.namespace, head.isLocked ?? false);
    }
    for (const listener of listeners) listener(snapshot.heads);
    ({ position, removals } = snapshot);
    if (snapshot.policy === undefined) return;
    current = { rules: rulesAfter(snapshot.policy), version: snapshot.policyVersion, digest: snapshot.policy.digest };
  });

  function rulesAfter(update: PolicyUpdate): PolicyRules {
    if (update.kind === "whole") {
      ofAgents.clear();
      return rulesFrom(update.rules);
    }
    for (const { agentId } of update.changes) ofAgents.delete(agentId);
    return update.changes.reduce(withChange, current.rules);
  }

  function lastOf(agentId: string): Policy {
    const cached = ofAgents.get(agentId);
    if (cached !== undefined) return cached;
    const policy = policyOf(current.rules, agentId);
    ofAgents.put(agentId, policy);
    return policy;
  }

  function lastStateOf(agentId: string): AgentPolicy {
    const policy = lastOf(agentId);
    return { ...stateOf(current), removals, policy, ...divisions.of(agentId, policy) };
  }

  return {
    async current() {
      await refresh();
      return current;
    },
    /** The agent's part. */
    async currentOf(agentId: string) {
      await refresh();
      return lastOf(agentId);
    },
    /** The namespaces with memories that the agent may use, in UTF-8 order. */
    async allowedNamespaces(agentId: string) {
      await refresh();
      return lastStateOf(agentId).allowed;
    },
    /** What the fence compares. */
    async fenceState(): Promise<FenceState> {
      await refresh();
      return { ...stateOf(current), removals };
    },
    /** As of the last read of the change feed. */
    lastOf,
    lastStateOf,
    lastVersion: (): number => current.version,

    refresh,
    /** Is told of every namespace that changed, together with the policy of that moment. */
    onHeads: (listener: (heads: readonly NamespaceHead[]) => void): void => void listeners.push(listener),
    lastPosition: (): number => position,
  };
}

const stateOf = ({ version, digest }: VersionedRules) => ({ policyVersion: version, policyDigest: digest });

/** What the fence must find unchanged of these memories, which were read in this state or a later one. */
export function readSetOf(
  { policyVersion, policyDigest, removals }: FenceState,
  memories: readonly Pick<Memory, "memoryId" | "namespace" | "expiresAt">[],
): Omit<ReadSet, "agentId"> {
  return {
    policyVersion,
    policyDigest,
    removals,
    namespaces: [...new Set(memories.map(({ namespace }) => namespace))],
    memoryIds: [...new Set(memories.map(({ memoryId }) => memoryId))],
    expiresAt: firstExpiry(memories),
  };
}

function firstExpiry(memories: readonly Pick<Memory, "expiresAt">[]): string | undefined {
  let first: string | undefined;
  for (const { expiresAt } of memories)
    if (expiresAt !== undefined && (first === undefined || expiresAt < first)) first = expiresAt;
  return first;
}

// The namespaces with memories, divided for an agent. A division is kept until the agent's policy or the set of
// namespaces changes, so that a recall does not sort thousands of names.

interface AgentDivision extends Division {
  /** The namespaces with a rule of `false` for this agent. */
  readonly revoked: readonly string[];
}

const DIVISIONS_KEPT = 64;

export function createNamespaceDivisions() {
  const existing = new Set<string>();
  /** Namespaces that are blocked for everybody, whatever the policy says: their key is not here. */
  const locked = new Set<string>();
  let sorted: readonly string[] = [];
  /** Names that are not in `sorted` yet, or are and should not be. */
  const moved = new Set<string>();
  const divisions = lruCache<{ readonly policy: Policy; readonly division: AgentDivision }>(DIVISIONS_KEPT);

  /** Sorts what is nearly sorted, which takes few comparisons. */
  function namespaces(): readonly string[] {
    if (moved.size === 0) return sorted;
    const stayed = sorted.filter((name) => !moved.has(name));
    sorted = [...stayed, ...[...moved].filter((name) => existing.has(name)).sort(byUtf8)].sort(byUtf8);
    moved.clear();
    return sorted;
  }

  function withoutLocked(divided: Division): Division {
    if (!divided.allowed.some((name) => locked.has(name))) return divided;
    const allowed = divided.allowed.filter((name) => !locked.has(name));
    const isAllowed = new Set(allowed);
    return { allowed, blocked: namespaces().filter((name) => !isAllowed.has(name)) };
  }

  return {
    set(namespace: string, hasMemories: boolean): void {
      if (existing.has(namespace) === hasMemories) return;
      if (hasMemories) existing.add(namespace);
      else existing.delete(namespace);
      moved.add(namespace);
      divisions.clear();
    },

    setLocked(namespace: string, isLocked: boolean): void {
      if (locked.has(namespace) === isLocked) return;
      if (isLocked) locked.add(namespace);
      else locked.delete(namespace);
      divisions.clear();
    },

    /** `policy` is the agent's part of the policy, the same object until it changes. */
    of(agentId: string, policy: Policy): AgentDivision {
      const cached = divisions.get(agentId);
      if (cached?.policy === policy) return cached.division;
      const { allowed, blocked } = withoutLocked(divide(agentId, namespaces(), policy));
      const division = { allowed, blocked, revoked: revokedNamespaces(policy, agentId) };
      divisions.put(agentId, { policy, division });
      return division;
    },
  };
}
