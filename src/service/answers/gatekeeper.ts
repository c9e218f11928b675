// The gate at work: `recall` of core/gate/gate.ts over everything on record. Before every recall the index and the
// policy read the change feed of the records, so that nothing is decided on an older state than the caller has seen.
import { type AllowedMemory, admit, type Recall } from "#core/gate/gate.ts";
import { type Policy, revokedNamespaces } from "#core/gate/policy.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { Scored } from "#core/recall/why.ts";
import type { RecordStore } from "#ports.ts";
import { createIndexFollower, type OnProgress } from "./index-follower.ts";

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
  policy(): Promise<Policy>;
  /** Brings the whole index up to this moment. At start-up this builds it. */
  catchUp(onProgress?: OnProgress): Promise<void>;
  /** Brings the whole index up to date in the background, soon. */
  wake(): void;
  /** What the last read of the change feed said, and how many memories the index has in each namespace. */
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
  const follower = createIndexFollower(records.changeFeed, index);

  return {
    policy: follower.policy,
    catchUp: follower.followAll,
    wake: follower.wake,
    state: () => ({
      position: follower.position(),
      policyVersion: follower.policyVersion(),
      memories: index.counts(),
    }),

    async recall(agentId, query) {
      const found = await follower.whenCaughtUp(agentId, (state) => ({
        ...state,
        sequences: index.search(query, state.allowed, limit),
      }));
      const { policy, version, digest, blocked, sequences } = found;
      const memories = await records.memories.at(sequences);
      return {
        agentId,
        // The index searched allowed namespaces only. What the records then gave passes the gate all the same.
        memories: admit(agentId, memories, policy).map((memory) => ({ ...memory, score: 0, why: {} })),
        blockedNamespaces: blocked,
        policyVersion: version,
        policyDigest: digest,
        revoked: revokedNamespaces(policy, agentId),
      };
    },
  };
}
