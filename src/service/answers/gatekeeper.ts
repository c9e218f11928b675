// The gate at work: `recall` of core/gate/gate.ts over everything on record. Before every recall the index and the
// policy read the change feed of the records, so that nothing is decided on an older state than the caller has seen.
import { coalesce } from "#async/coalesce.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { type AllowedMemory, admit, divide, type Recall } from "#core/gate/gate.ts";
import { type Policy, policyFrom, revokedNamespaces } from "#core/gate/policy.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { Scored } from "#core/recall/why.ts";
import type { RecordStore } from "#ports.ts";

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
  /** `limit` is at most the gatekeeper's own, which counts when it is left out. */
  recall(agentId: string, query: string, limit?: number): Promise<GateView>;
}

export interface Gatekeeper {
  /** The policy of this moment. */
  policy(): Promise<Policy>;
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
  maxLimit: number,
): Gatekeeper & RecallGate {
  const index = createRecallIndex();
  let position = 0;
  let current = policyState(policyFrom([]), 0);

  const catchUp = coalesce(async () => {
    for (let complete = false; !complete; ) {
      const snapshot = await records.changeFeed.since({ position, policyVersion: current.version });
      for (const change of snapshot.changes) index.apply(change);
      position = snapshot.position;
      if (snapshot.policy !== undefined) current = policyState(snapshot.policy, snapshot.policyVersion);
      complete = snapshot.complete;
    }
  });

  return {
    catchUp,
    state: () => ({ position, policyVersion: current.version, memories: index.counts() }),

    async policy() {
      await catchUp();
      return current.policy;
    },

    async recall(agentId, query, limit = maxLimit) {
      await catchUp();
      const { policy, version, digest } = current;
      const { allowed, blocked } = divide(agentId, index.namespaces(), policy);
      const memories = await records.memories.at(index.search(query, allowed, limit));
      return {
        agentId,
        // The index searched allowed namespaces only. What the records then gave passes the gate all the same.
        memories: admit(agentId, memories, policy).map(scored),
        blockedNamespaces: blocked,
        policyVersion: version,
        policyDigest: digest,
        revoked: revokedNamespaces(policy, agentId),
      };
    },
  };
}

const scored = (memory: AllowedMemory): Scored<AllowedMemory> => ({
  ...memory,
  score: 0,
  why: memory.pinned ? { pinned: true } : {},
});

const policyState = (policy: Policy, version: number) => ({ policy, version, digest: digestOf(policy) });
