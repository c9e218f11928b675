// The gate at work: `recall` of core/gate/gate.ts over everything on record. Before every recall the index and the
// policy read the change feed of the records, so that nothing is decided on an older state than the caller has seen.
import { runInSlices } from "#async/run-in-slices.ts";
import { admit, type Recall, SPARE } from "#core/gate/gate.ts";
import type { Policy } from "#core/gate/policy.ts";
import { foldNearDuplicates } from "#core/recall/near-duplicates.ts";
import { pinnedFirst } from "#core/recall/pins.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { Metrics, RecordStore } from "#ports.ts";
import type { VersionedLeaves } from "#service/policy/live-policy.ts";
import type { Division } from "#service/policy/namespace-divisions.ts";
import { buildIndex, type LoadedSnapshots } from "#service/recall/build-index.ts";
import { createIndexFollower, type OnProgress } from "#service/recall/index-follower.ts";
import { createIndexSnapshots, type SaveOptions, type SnapshotOptions } from "#service/recall/index-snapshots.ts";
import type { SentenceVectors } from "#service/recall/sentence-vectors.ts";
import { createUnreadMemories } from "#service/recall/unread-memories.ts";

/** What the gate decided for one agent, apart from the memories. */
export interface GateDecision extends Pick<Recall, "blockedNamespaces"> {
  readonly agentId: string;
  /** The question. */
  readonly query: string;
  /** Every namespace with memories that the agent may use. */
  readonly allowedNamespaces: readonly string[];
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
  /** The namespaces with memories that the agent may use at this moment, in UTF-8 order. */
  allowedNamespaces(agentId: string): Promise<readonly string[]>;
  /** The agent's part of the policy as of the last read of the change feed. */
  lastPolicyOf(agentId: string): Policy;
  /** The namespaces as they are divided for the agent, and the policy's version, as of that read. */
  lastDivisionOf(agentId: string): Pick<Division, "allowed" | "blocked"> & { readonly policyVersion: number };
  lastPolicyVersion(): number;
  /** Builds the index at start-up, from snapshots as far as there are any. */
  build(onProgress?: OnProgress): Promise<LoadedSnapshots>;
  /** Brings the whole index up to this moment. */
  catchUp(): Promise<void>;
  /** Writes snapshots of the index where they are due. Never rejects. */
  saveSnapshots(options?: SaveOptions): Promise<void>;
  /** Brings the whole index up to date in the background, soon. */
  wake(): void;
  /**
   * What the last read of the change feed said, and how many memories the index has in each namespace, with those that it
   * left out because they cannot be opened.
   */
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
  /** Where snapshots of the index are kept, if anywhere. */
  readonly snapshots?: SnapshotOptions | undefined;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
  readonly now?: () => Date;
}

export function createGatekeeper(
  records: Pick<RecordStore, "changeFeed" | "memories" | "snapshots">,
  recallOptions: RecallOptions,
): Gatekeeper & RecallGate {
  const { limit: maxLimit, embed = () => undefined, sentences, snapshots: options, metrics } = recallOptions;
  const { now = () => new Date() } = recallOptions;
  const index = createRecallIndex({ embed, sentenceVectorOf: sentences?.vectorOf });
  const unread = createUnreadMemories();
  /** Namespaces that have, or had, sealed memories. What the index has of them stays in memory. */
  const withSealed = new Set<string>();
  const isSealed = (namespace: string) => withSealed.has(namespace) || follower.isSealed(namespace);
  const follower = createIndexFollower(records.changeFeed, {
    apply(change) {
      if (!unread.takes(change)) index.apply(change);
      if (change.sealed !== undefined) withSealed.add(change.namespace);
      snapshots?.changed(change);
      if (change.kind === "captured") sentences?.captured(change.namespace, change.sequence);
      else if (change.kind === "forgotten") sentences?.forgotten(change.namespace, change.captured);
    },
  });

  const snapshots =
    options &&
    createIndexSnapshots({
      ...options,
      register: records.snapshots,
      embed,
      memoriesIn: index.count,
      snapshotOf: (namespace) =>
        isSealed(namespace) ? undefined : index.snapshot(namespace, follower.appliedIn(namespace), options.table),
    });

  metrics?.gauge("indexMemories", () => index.size().memories);
  metrics?.gauge("indexNamespaces", () => index.size().namespaces);
  metrics?.gauge("policyVersion", follower.policyVersion);

  return {
    policy: follower.policy,
    policyOf: follower.policyOf,
    allowedNamespaces: follower.allowedNamespaces,
    lastPolicyOf: follower.lastPolicyOf,
    lastDivisionOf(agentId) {
      const { allowed, blocked, version } = follower.lastStateOf(agentId);
      return { allowed, blocked, policyVersion: version };
    },
    lastPolicyVersion: follower.policyVersion,
    build: (onProgress) => buildIndex({ index, follower, snapshots, sentences }, onProgress),
    catchUp: () => follower.followAll(),
    saveSnapshots: async (options) => snapshots?.save(options),
    wake: follower.wake,
    state: () => ({
      position: follower.position(),
      policyVersion: follower.policyVersion(),
      memories: unread.addTo(index.counts()),
    }),

    async recall(agentId, query, limit = maxLimit) {
      const sentenceVector = await sentences?.questionVector(query);
      const question = { ...readQuestion(query, now(), embed), sentenceVector };
      const caughtUp = await follower.whenCaughtUp(agentId, async (state) => {
        const pinned = index.pinned(state.allowed, limit);
        const ranked = await runInSlices(index.search(question, state.allowed, limit + SPARE));
        return { ...state, selected: pinnedFirst(pinned, ranked) };
      });
      const { policy, version, digest, allowed, blocked, revoked, selected } = caughtUp;
      const found = await records.memories.at(selected.map(({ sequence }) => sequence));
      const memories = selected.flatMap(({ sequence, score, why }) => {
        const memory = found.get(sequence);
        return memory === undefined ? [] : { ...memory, score, why };
      });
      return {
        agentId,
        query,
        // The index searched allowed namespaces only. What the records then gave passes the gate all the same.
        memories: foldNearDuplicates(admit(agentId, memories, policy)).slice(0, limit),
        allowedNamespaces: allowed,
        blockedNamespaces: blocked,
        policyVersion: version,
        policyDigest: digest,
        revoked,
      };
    },
  };
}
