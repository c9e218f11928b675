// The gate at work: `recall` of core/gate/gate.ts over everything on record. Before every recall the index and the
// policy read the change feed of the records, so that nothing is decided on an older state than the caller has seen.
import { coalesce } from "#async/coalesce.ts";
import { type AllowedMemory, admit, type Recall } from "#core/gate/gate.ts";
import type { Policy } from "#core/gate/policy.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { Scored } from "#core/recall/why.ts";
import type { RecordStore } from "#ports.ts";
import { createLivePolicy, type VersionedLeaves } from "#service/policy/live-policy.ts";
import { createNamespaceDivisions } from "#service/policy/namespace-divisions.ts";

/** What the gate decided for one agent, apart from the memories. */
export interface GateDecision extends Pick<Recall, "blockedNamespaces"> {
  readonly agentId: string;
  readonly policyVersion: number;
  readonly policyDigest: string;
  /** The namespaces with a leaf of `false` for this agent. */
  readonly revoked: readonly string[];
}

export interface GateView extends GateDecision, Recall {
  readonly memories: readonly Scored<AllowedMemory>[];
}

/** The part of the gate that gives memories. Only an attempt has it, because only an attempt carries the fence. */
export interface RecallGate {
  recall(agentId: string, query: string): Promise<GateView>;
}

export interface Gatekeeper {
  /** The policy of this moment. */
  policy(): Promise<VersionedLeaves>;
  /** The agent's part of it. */
  policyOf(agentId: string): Promise<Policy>;
  /** The same as of the last catch-up. */
  lastPolicyOf(agentId: string): Policy;
  /** Whether the namespace had memories at the last catch-up. */
  knows(namespace: string): boolean;
  /** Reads the change feed to its end, as every recall does. At start-up this builds the index. */
  catchUp(): Promise<void>;
  /** What the last catch-up read. */
  state(): {
    readonly position: number;
    readonly policyVersion: number;
    readonly memories: ReadonlyMap<string, number>;
  };
}

export function createGatekeeper(
  records: Pick<RecordStore, "changeFeed" | "memories">,
  limit: number,
): Gatekeeper & RecallGate {
  const index = createRecallIndex();
  const divisions = createNamespaceDivisions();
  const live = createLivePolicy();
  let position = 0;

  const catchUp = coalesce(async () => {
    for (let complete = false; !complete; ) {
      const snapshot = await records.changeFeed.since({ position, policyVersion: live.current().version });
      for (const change of snapshot.changes) {
        index.apply(change);
        divisions.apply(change);
      }
      position = snapshot.position;
      live.apply(snapshot);
      complete = snapshot.complete;
    }
  });

  return {
    catchUp,
    knows: divisions.has,
    state: () => ({ position, policyVersion: live.current().version, memories: index.counts() }),

    async policy() {
      await catchUp();
      return live.current();
    },

    lastPolicyOf: live.of,

    async policyOf(agentId) {
      await catchUp();
      return live.of(agentId);
    },

    async recall(agentId, query) {
      await catchUp();
      const { version, digest } = live.current();
      const policy = live.of(agentId);
      const { allowed, blocked, revoked } = divisions.of(agentId, policy);
      const memories = await records.memories.at(index.search(query, allowed, limit));
      return {
        agentId,
        // The index searched allowed namespaces only. What the records then gave passes the gate all the same.
        memories: admit(agentId, memories, policy).map((memory) => ({ ...memory, score: 0, why: {} })),
        blockedNamespaces: blocked,
        policyVersion: version,
        policyDigest: digest,
        revoked,
      };
    },
  };
}
