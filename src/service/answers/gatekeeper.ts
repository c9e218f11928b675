// The gate at work: `recall` of core/gate/gate.ts over everything on record. Before every recall the index and the
// policy read the change feed of the records, so that nothing is decided on an older state than the caller has seen.
import { coalesce } from "#async/coalesce.ts";
import { runInSlices } from "#async/run-in-slices.ts";
import { admit, type Recall, SPARE } from "#core/gate/gate.ts";
import type { Policy } from "#core/gate/policy.ts";
import { foldNearDuplicates } from "#core/recall/near-duplicates.ts";
import { pinnedFirst } from "#core/recall/pins.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { RecordStore } from "#ports.ts";
import { createLivePolicy, type VersionedLeaves } from "#service/policy/live-policy.ts";
import { createNamespaceDivisions } from "#service/policy/namespace-divisions.ts";
import type { SentenceVectors } from "#service/recall/sentence-vectors.ts";

/** What the gate decided for one agent, apart from the memories. */
export interface GateDecision extends Pick<Recall, "blockedNamespaces"> {
  readonly agentId: string;
  readonly policyVersion: number;
  readonly policyDigest: string;
  /** The namespaces with a leaf of `false` for this agent. */
  readonly revoked: readonly string[];
}

export interface GateView extends GateDecision, Recall {}

/** The part of the gate that gives memories. Only an attempt has it, because only an attempt carries the fence. */
export interface RecallGate {
  /** `limit` is at most that of an answer, which counts when it is left out. */
  recall(agentId: string, query: string, limit?: number): Promise<GateView>;
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

export interface RecallOptions {
  /** How many memories an answer may use. */
  readonly limit: number;
  readonly embed?: Embed | undefined;
  /** The vectors of a sentence model, if one is configured. */
  readonly sentences?: SentenceVectors | undefined;
  readonly now?: () => Date;
}

export function createGatekeeper(
  records: Pick<RecordStore, "changeFeed" | "memories">,
  { limit: maxLimit, embed, sentences, now = () => new Date() }: RecallOptions,
): Gatekeeper & RecallGate {
  const index = createRecallIndex({ embed, sentenceVectorOf: sentences?.vectorOf });
  const divisions = createNamespaceDivisions();
  const live = createLivePolicy();
  let position = 0;

  const catchUp = coalesce(async () => {
    for (let complete = false; !complete; ) {
      const snapshot = await records.changeFeed.since({ position, policyVersion: live.current().version });
      for (const change of snapshot.changes) {
        index.apply(change);
        divisions.apply(change);
        if (change.kind === "captured") sentences?.captured(change.namespace, change.sequence);
        else if (change.kind === "forgotten") sentences?.forgotten(change.namespace, change.captured);
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

    async recall(agentId, query, limit = maxLimit) {
      const sentenceVector = await sentences?.questionVector(query);
      await catchUp();
      const { version, digest } = live.current();
      const policy = live.of(agentId);
      const { allowed, blocked, revoked } = divisions.of(agentId, policy);
      const question = { ...readQuestion(query, now(), embed), sentenceVector };
      const pinned = index.pinned(allowed, limit);
      const selected = pinnedFirst(pinned, await runInSlices(index.search(question, allowed, limit + SPARE)));
      const found = await records.memories.at(selected.map(({ sequence }) => sequence));
      const memories = selected.flatMap(({ sequence, score, why }) => {
        const memory = found.get(sequence);
        return memory === undefined ? [] : { ...memory, score, why };
      });
      return {
        agentId,
        // The index searched allowed namespaces only. What the records then gave passes the gate all the same.
        memories: foldNearDuplicates(admit(agentId, memories, policy)).slice(0, limit),
        blockedNamespaces: blocked,
        policyVersion: version,
        policyDigest: digest,
        revoked,
      };
    },
  };
}
