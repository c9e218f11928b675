// The gate at work: `recall` of core/gate/gate.ts over everything on record. Before every recall the index and the
// policy read the change feed of the records, so that nothing is decided on an older state than the caller has seen.
import { runInSlices } from "#async/run-in-slices.ts";
import { admit, type Recall, SPARE } from "#core/gate/gate.ts";
import { isWithin } from "#core/gate/namespace-prefix.ts";
import type { Policy } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { closestOfRanked } from "#core/recall/index/scans.ts";
import { foldNearDuplicates } from "#core/recall/near-duplicates.ts";
import { pinnedFirst } from "#core/recall/pins.ts";
import { type Embed, readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { Metrics, RecordStore } from "#ports.ts";
import { expiryDecision } from "#service/decisions/expiry-decision.ts";
import type { VersionedLeaves } from "#service/policy/live-policy.ts";
import type { Division } from "#service/policy/namespace-divisions.ts";
import { buildIndex, type LoadedSnapshots } from "#service/recall/build-index.ts";
import { createIndexFollower, type FenceState, type OnProgress } from "#service/recall/index-follower.ts";
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
  /** How often memories had been removed (`Snapshot`). */
  readonly removals: number;
  readonly policyDigest: string;
  /** The namespaces with a leaf of `false` for this agent. */
  readonly revoked: readonly string[];
  /** Whether a sealed memory was recalled for this question. */
  readonly recalledSealed?: boolean;
  /** Whether an attempt before this one used memories that were withdrawn since. */
  readonly isAgain?: boolean;
}

export interface GateView extends GateDecision, Recall {}

export interface RecallBounds {
  /** At most that of an answer, which counts when it is left out. */
  readonly limit?: number | undefined;
  /** Only memories of this namespace, and of those below it. */
  readonly namespacePrefix?: string | undefined;
}

/** The part of the gate that gives memories. Only an attempt has it, because only an attempt carries the fence. */
export interface RecallGate {
  recall(agentId: string, query: string, bounds?: RecallBounds): Promise<GateView>;
}

export interface Gatekeeper {
  /** The policy of this moment. */
  policy(): Promise<VersionedLeaves>;
  /** What the fence compares: the state of this moment. */
  fenceState(): Promise<FenceState>;
  /** The agent's part of it. */
  policyOf(agentId: string): Promise<Policy>;
  /** The namespaces with memories that the agent may use at this moment, in UTF-8 order. */
  allowedNamespaces(agentId: string): Promise<readonly string[]>;
  /** The agent's part of the policy as of the last read of the change feed. */
  lastPolicyOf(agentId: string): Policy;
  /** The namespaces as they are divided for the agent, and the policy's version, as of that read. */
  lastDivisionOf(agentId: string): Pick<Division, "allowed" | "blocked"> & { readonly policyVersion: number };
  lastPolicyVersion(): number;
  /**
   * The memories whose meaning is closest to this text, closest first: of those that the agent may use, or of some
   * namespaces, or of all. What an agent is told of them must leave behind the fence.
   */
  closest(text: string, among: Among, limit: number): Promise<readonly CloseMemory[]>;
  /** Builds the index at start-up, from snapshots as far as there are any. */
  build(onProgress?: OnProgress): Promise<LoadedSnapshots>;
  /** Brings the whole index up to this moment. */
  catchUp(): Promise<void>;
  /** Writes snapshots of the index where they are due. Never rejects. */
  saveSnapshots(options?: SaveOptions): Promise<void>;
  /** Brings the whole index up to date in the background, soon. */
  wake(): void;
  /** How many memories a namespace has, as `state` says of all. */
  memoriesIn(namespace: string): number;
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

export type Among = { readonly agentId: string } | { readonly namespaces: readonly string[] | undefined };

export interface CloseMemory extends Pick<Memory, "memoryId" | "namespace" | "expiresAt"> {
  /** Up to 1. */
  readonly score: number;
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
  /** Called when the index learns that a memory was removed. */
  readonly onRemoved?: (() => void) | undefined;
}

/** How much of a text is compared with others. */
const COMPARED_CHARACTERS = 1_000;

/** How many expired memories one step forgets. */
export const EXPIRED_AT_ONCE = 500;

/** How often a recall searches again because memories that it found were removed, or expired, before it read them. */
const MAX_SEARCHES = 3;

export function createGatekeeper(
  records: Pick<RecordStore, "changeFeed" | "memories" | "snapshots">,
  recallOptions: RecallOptions,
): Gatekeeper & RecallGate {
  const { limit: maxLimit, embed = () => undefined, sentences, snapshots: options, metrics } = recallOptions;
  const { now = () => new Date(), onRemoved } = recallOptions;
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
      else if (change.kind === "forgotten") {
        sentences?.forgotten(change.namespace, change.captured);
        onRemoved?.();
      }
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

  /** Searches, and reads what was found. What has expired is swept first, because it takes the places of others. */
  async function findCurrent<S extends { readonly selected: readonly { readonly sequence: number }[] }>(
    searches: number,
    search: () => Promise<S>,
  ) {
    const state = await search();
    const found = await records.memories.at(state.selected.map(({ sequence }) => sequence));
    if (found.size === state.selected.length || searches === 1) return { ...state, found };
    await records.memories
      .forgetExpired(EXPIRED_AT_ONCE, expiryDecision(follower.policyVersion()))
      .catch(() => undefined);
    return findCurrent(searches - 1, search);
  }

  metrics?.gauge("indexMemories", () => index.size().memories);
  metrics?.gauge("indexNamespaces", () => index.size().namespaces);
  metrics?.gauge("policyVersion", follower.policyVersion);

  return {
    policy: follower.policy,
    fenceState: follower.fenceState,
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
    memoriesIn: (namespace) => index.count(namespace) + unread.countIn(namespace),
    state: () => ({
      position: follower.position(),
      policyVersion: follower.policyVersion(),
      memories: unread.addTo(index.counts()),
    }),

    async closest(text, among, limit) {
      const question = readQuestion(text.slice(0, COMPARED_CHARACTERS), now(), embed);
      const rank = async (namespaces: readonly string[]) => {
        const ranked = await runInSlices(index.rank(question, namespaces));
        return closestOfRanked(ranked, limit);
      };
      const { policy, closest } =
        "agentId" in among
          ? await follower.whenCaughtUp(among.agentId, async ({ policy, allowed }) => ({
              policy,
              closest: await rank(allowed),
            }))
          : { policy: undefined, closest: await rank(among.namespaces ?? index.namespaces()) };
      const found = await records.memories.at(closest.map(({ sequence }) => sequence));
      const memories = closest.flatMap(({ sequence, meaning }) => {
        const memory = found.get(sequence);
        return memory === undefined ? [] : { ...memory, score: round(meaning) };
      });
      // As in a recall: what the records gave passes the gate.
      const given = "agentId" in among && policy !== undefined ? admit(among.agentId, memories, policy) : memories;
      return given.map(({ memoryId, namespace, expiresAt, score }) => ({
        memoryId,
        namespace,
        ...(expiresAt !== undefined && { expiresAt }),
        score,
      }));
    },

    async recall(agentId, query, { limit = maxLimit, namespacePrefix } = {}) {
      const sentenceVector = await sentences?.questionVector(query);
      const question = { ...readQuestion(query, now(), embed), sentenceVector };
      const { found, ...caughtUp } = await findCurrent(MAX_SEARCHES, () =>
        follower.whenCaughtUp(agentId, async (state) => {
          const searched =
            namespacePrefix === undefined
              ? state.allowed
              : state.allowed.filter((namespace) => isWithin(namespace, namespacePrefix));
          const pinned = index.pinned(searched, limit);
          const ranked = await runInSlices(index.search(question, searched, limit + SPARE));
          return { ...state, selected: pinnedFirst(pinned, ranked) };
        }),
      );
      const { policy, version, removals, digest, allowed, blocked, revoked, selected } = caughtUp;
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
        removals,
        policyDigest: digest,
        revoked,
      };
    },
  };
}

const round = (score: number): number => Math.round(score * 10_000) / 10_000;
