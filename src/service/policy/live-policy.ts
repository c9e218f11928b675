// The policy of this moment, in memory. It follows the change feed leaf by leaf.
import type { Policy } from "#core/gate/policy.ts";
import { leavesFrom, NO_LEAVES, type PolicyLeaves, policyOf, withLeaf } from "#core/gate/policy-leaves.ts";
import type { PolicyUpdate, Snapshot } from "#ports.ts";
import { createRecentlyUsed } from "./recently-used.ts";

export interface VersionedLeaves {
  readonly leaves: PolicyLeaves;
  readonly version: number;
  /** For receipts. */
  readonly digest: string;
}

export interface LivePolicy {
  /** Never changed: a reader may keep it. */
  current(): VersionedLeaves;
  /** One agent's part of the policy. The same object until a leaf of the agent changes. */
  of(agentId: string): Policy;
  apply(snapshot: Pick<Snapshot, "policy" | "policyVersion">): void;
}

const AGENTS_KEPT = 256;

export function createLivePolicy(): LivePolicy {
  let current: VersionedLeaves = { leaves: NO_LEAVES, version: -1, digest: "" };
  const ofAgents = createRecentlyUsed<string, Policy>(AGENTS_KEPT);

  function apply(update: PolicyUpdate): PolicyLeaves {
    if (update.kind === "whole") {
      ofAgents.clear();
      return leavesFrom(update.leaves);
    }
    for (const { agentId } of update.changes) ofAgents.delete(agentId);
    return update.changes.reduce(withLeaf, current.leaves);
  }

  return {
    current: () => current,
    of: (agentId) => ofAgents.get(agentId, () => policyOf(current.leaves, agentId)),
    apply({ policy, policyVersion }) {
      if (policy === undefined) return;
      current = { leaves: apply(policy), version: policyVersion, digest: policy.digest };
    },
  };
}
