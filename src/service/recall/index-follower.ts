// Keeps the recall index up to date with the records. It applies the changes of each namespace once and in their order,
// and remembers how far it got in each. A recall waits only for the namespaces that its agent may use; the others follow
// in the background.
import { setImmediate as nextTurn } from "node:timers/promises";
import { coalesce } from "#async/coalesce.ts";
import type { Policy } from "#core/gate/policy.ts";
import type { ChangeFeed, NamespaceHead, ReadSet, RecordedChange } from "#ports.ts";
import { createLivePolicy, type VersionedLeaves } from "#service/policy/live-policy.ts";
import { createNamespaceDivisions, type Division } from "#service/policy/namespace-divisions.ts";
import { createNamespaceFollower, type NamespaceFollower } from "./namespace-follower.ts";

/** The policy of one moment, for one agent, and the namespaces that existed at that moment. */
export interface FollowedState extends Division, Pick<VersionedLeaves, "version" | "digest"> {
  /** How often memories had been removed (`Snapshot`). */
  readonly removals: number;
  /** The agent's part. */
  readonly policy: Policy;
}

/** Called with the number of memories in the index, and of those on record. */
export type OnProgress = (done: number, total: number) => void;

/**
 * How often a recall begins anew because others moved its namespaces on while it waited. After that it is answered from
 * namespaces that are each up to date, although not as of the same moment.
 */
const MAX_ROUNDS = 8;
/** How many namespaces are brought up to date at a time, for one recall or in the background. */
const CONCURRENCY = 4;

export type IndexFollower = ReturnType<typeof createIndexFollower>;

export function createIndexFollower(changeFeed: ChangeFeed, index: { apply(change: RecordedChange): void }) {
  const followers = new Map<string, NamespaceFollower>();
  const divisions = createNamespaceDivisions();
  /** Namespaces whose settings say so. */
  const sealed = new Set<string>();
  const live = createLivePolicy();
  let position = 0;
  let removals = 0;

  /** Reads the policy and the heads of all namespaces. Afterwards they are at least as new as the call. */
  const refresh = coalesce(async () => {
    const snapshot = await changeFeed.since({ position, policyVersion: live.current().version });
    // No other code runs before all of the snapshot is taken over, so policy and heads are always of one moment.
    for (const head of snapshot.heads) moveHead(head);
    position = snapshot.position;
    removals = snapshot.removals;
    live.apply(snapshot);
  });

  function moveHead(head: NamespaceHead): void {
    const follower = followers.get(head.namespace);
    if (follower === undefined) followers.set(head.namespace, createNamespaceFollower(changeFeed, index, head));
    else follower.moveHead(head);
    divisions.set(head.namespace, head.memories > 0);
    divisions.setLocked(head.namespace, head.isLocked ?? false);
    if (head.isSealed) sealed.add(head.namespace);
    else sealed.delete(head.namespace);
  }

  function stateFor(agentId: string): FollowedState {
    const { version, digest } = live.current();
    const policy = live.of(agentId);
    return { version, digest, removals, policy, ...divisions.of(agentId, policy) };
  }

  /** Whether the index has all changes of these namespaces that are known of. Between captures it has. */
  function isUpToDate(namespaces: readonly string[]): boolean {
    for (const namespace of namespaces) {
      const follower = followers.get(namespace);
      if (follower !== undefined && follower.applied() !== follower.head()) return false;
    }
    return true;
  }

  function targetsOf(namespaces: readonly string[]): Target[] {
    return namespaces.flatMap((namespace) => {
      const follower = followers.get(namespace);
      return follower === undefined ? [] : { follower, head: follower.head() };
    });
  }

  async function followAll(onProgress?: OnProgress): Promise<void> {
    await refresh();
    const all = [...followers.values()];
    const total = sum(all, (follower) => follower.memories());
    // Counted as it grows: a sum over all namespaces after each of them would take quadratic time.
    let done = sum(all, (follower) => follower.indexed());
    const behind = all.filter((follower) => follower.applied() < follower.head());
    await inParallel(behind, async (follower) => {
      const head = follower.head();
      while (follower.applied() < head) {
        const before = follower.indexed();
        await follower.step();
        done += follower.indexed() - before;
        onProgress?.(done, total);
      }
    });
  }

  const followSoon = coalesce(async () => {
    // The captures of one turn of the event loop are followed together, after they are acknowledged.
    await nextTurn();
    await followAll();
  });

  return {
    /** The policy of this moment. */
    async policy(): Promise<VersionedLeaves> {
      await refresh();
      return live.current();
    },
    /** What the fence compares: the state of this moment. */
    async fenceState(): Promise<FenceState> {
      await refresh();
      return { policyVersion: live.current().version, removals };
    },
    /** The agent's part of it. */
    async policyOf(agentId: string): Promise<Policy> {
      await refresh();
      return live.of(agentId);
    },
    /** The namespaces with memories that the agent may use at this moment, in UTF-8 order. */
    async allowedNamespaces(agentId: string): Promise<readonly string[]> {
      await refresh();
      return stateFor(agentId).allowed;
    },
    /** The agent's part of the policy as of the last read. */
    lastPolicyOf: live.of,
    /** All that is known for the agent as of the last read. */
    lastStateOf: stateFor,

    /**
     * Brings the namespaces that the agent may use up to one moment, which is not before the call, and starts `decide`
     * while the index stands there. Changes in other namespaces are not read.
     */
    async whenCaughtUp<T>(agentId: string, decide: (state: FollowedState) => T | Promise<T>): Promise<T> {
      await refresh();
      for (let round = 1; ; round++) {
        const state = stateFor(agentId);
        if (isUpToDate(state.allowed)) return decide(state);
        const targets = targetsOf(state.allowed);
        const behind = targets.filter(({ follower, head }) => follower.applied() < head);
        await inParallel(behind, ({ follower, head }) => follower.reach(head));
        const isOneMoment = targets.every(({ follower, head }) => follower.applied() === head);
        if (isOneMoment || round === MAX_ROUNDS) return decide(state);
      }
    },

    /** Brings every namespace up to this moment. At start-up this builds the index. */
    followAll,

    /** Follows all namespaces in the background, soon. If that fails, the next recall finds out. */
    wake(): void {
      void followSoon().catch(() => undefined);
    },

    /** The namespaces as of this moment. */
    async heads(): Promise<NamespaceHead[]> {
      await refresh();
      return [...followers.values()].map(({ current }) => current());
    },
    /** Goes on after this sequence of a namespace, because the index has so many memories of it. False if it is too late. */
    resume: (namespace: string, sequence: number, memories: number): boolean =>
      followers.get(namespace)?.resume(sequence, memories) ?? false,
    /** Begins a namespace again that the index dropped. */
    restart: (namespace: string): void => followers.get(namespace)?.restart(),
    /** The sequence of the last change of the namespace that the index has. */
    appliedIn: (namespace: string): number => followers.get(namespace)?.applied() ?? 0,
    /** How many memories the index must have; undefined while it does not have all changes. */
    memoriesIn(namespace: string): number | undefined {
      const follower = followers.get(namespace);
      return follower?.applied() === follower?.head() ? follower?.memories() : undefined;
    },

    /** Whether the settings of the namespace say that it is sealed. */
    isSealed: (namespace: string): boolean => sealed.has(namespace),
    position: (): number => position,
    policyVersion: (): number => live.current().version,
  };
}

/** What a read set is read in. */
export type FenceState = Pick<ReadSet, "policyVersion" | "removals">;

interface Target {
  readonly follower: NamespaceFollower;
  readonly head: number;
}

/** A few at a time, because each waits for reads of the records. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  async function worker(): Promise<void> {
    for (const item of queue) await work(item);
  }
  await Promise.all(Array.from({ length: Math.min(CONCURRENCY, items.length) }, worker));
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}
