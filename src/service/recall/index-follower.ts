// Keeps the recall index up to date with the records, which other processes write to as well. Each namespace has its
// own follower of the change feed. A recall waits only for the namespaces that its agent may use.
import { setImmediate as nextTurn } from "node:timers/promises";
import { coalesce } from "#async/coalesce.ts";
import { mapAll } from "#async/map-in-order.ts";
import { turnInBulk } from "#async/run-in-slices.ts";
import type { ChangeFeed, NamespaceHead, RecordedChange } from "#ports.ts";
import type { AgentPolicy, FollowedMirror } from "#service/policy/policy-mirror.ts";

/** Called with the number of memories in the index, and of those on record. */
export type OnProgress = (done: number, total: number) => void;

/** How often a recall begins anew as its namespaces move on. After that they are of different moments. */
const MAX_ROUNDS = 8;
/** How many namespaces are brought up to date at a time, for one recall or in the background. */
const CONCURRENCY = 4;

export function createIndexFollower(
  changeFeed: Pick<ChangeFeed, "changesIn">,
  policy: Pick<FollowedMirror, "refresh" | "lastStateOf" | "onHeads">,
  index: { apply(change: RecordedChange): void },
) {
  const followers = new Map<string, NamespaceFollower>();
  policy.onHeads((heads) => {
    for (const head of heads) {
      const follower = followers.get(head.namespace);
      if (follower === undefined) followers.set(head.namespace, createNamespaceFollower(changeFeed, index, head));
      else follower.moveHead(head);
    }
  });

  /** Whether the index has all changes of these namespaces that are known of. Between captures it has. */
  function isUpToDate(namespaces: readonly string[]): boolean {
    for (const namespace of namespaces) {
      const follower = followers.get(namespace);
      if (follower !== undefined && follower.applied() !== follower.head()) return false;
    }
    return true;
  }

  function targetsOf(namespaces: readonly string[]) {
    return namespaces.flatMap((namespace) => {
      const follower = followers.get(namespace);
      return follower === undefined ? [] : { follower, head: follower.head() };
    });
  }

  async function followAll(onProgress?: OnProgress): Promise<void> {
    await policy.refresh();
    const all = [...followers.values()];
    const total = sum(all, (follower) => follower.memories());
    // Counted as it grows: a sum over all namespaces after each of them would take quadratic time.
    let done = sum(all, (follower) => follower.indexed());
    const behind = all.filter((follower) => follower.applied() < follower.head());
    await mapAll(behind, CONCURRENCY, async (follower) => {
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
    await turnInBulk(followers);
    await followAll();
  });

  return {
    /** Brings what the agent may use up to one moment from now on, and starts `decide` while the index is there. */
    async whenCaughtUp<T>(agentId: string, decide: (state: AgentPolicy) => T | Promise<T>): Promise<T> {
      await policy.refresh();
      for (let round = 1; ; round++) {
        const state = policy.lastStateOf(agentId);
        if (isUpToDate(state.allowed)) return decide(state);
        const targets = targetsOf(state.allowed);
        const behind = targets.filter(({ follower, head }) => follower.applied() < head);
        await mapAll(behind, CONCURRENCY, ({ follower, head }) => follower.reach(head));
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

    async heads(): Promise<NamespaceHead[]> {
      await policy.refresh();
      return [...followers.values()].map(({ current }) => current());
    },
    /** The follower of one namespace; undefined if nothing was ever captured into it. */
    in: (namespace: string): NamespaceFollower | undefined => followers.get(namespace),
  };
}

const sum = <T>(values: readonly T[], of: (value: T) => number): number =>
  values.reduce((total, value) => total + of(value), 0);

// Applies the changes of one namespace to the recall index: each once, in their order, and never beyond the head that
// was read together with the policy. It works in time slices, so that other requests are served in between.

type NamespaceFollower = ReturnType<typeof createNamespaceFollower>;

/** How long changes are applied in one turn of the event loop: while a recall waits for them, and in the background. */
const FOREGROUND_SLICE_MS = 5;
const BACKGROUND_SLICE_MS = 1;

function createNamespaceFollower(
  changeFeed: Pick<ChangeFeed, "changesIn">,
  index: { apply(change: RecordedChange): void },
  given: NamespaceHead,
) {
  const { namespace, memories: first, head: firstHead } = given;
  let memories = first;
  let head = firstHead;
  let { isEncrypted } = given;
  // All that was ever in an empty namespace is forgotten, and the index has none of it.
  let applied = first === 0 ? firstHead : 0;
  let indexed = 0;
  /** How many recalls wait. */
  let waiting = 0;
  let running: Promise<void> | undefined;

  async function applyPage(): Promise<void> {
    const page = await changeFeed.changesIn({ namespace, after: applied, through: head });
    let sliceEnd = nextSliceEnd();
    for (const change of page.changes) {
      if (performance.now() >= sliceEnd) {
        await nextTurn();
        sliceEnd = nextSliceEnd();
      }
      index.apply(change);
      applied = change.sequence;
      if (change.kind === "captured") indexed += 1;
    }
    applied = page.position;
  }

  const nextSliceEnd = () => performance.now() + (waiting > 0 ? FOREGROUND_SLICE_MS : BACKGROUND_SLICE_MS);

  /** Applies the next page of changes. Callers at the same time share one. */
  function step(): Promise<void> {
    running ??= applyPage().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    current: (): NamespaceHead => ({ namespace, memories, head, isEncrypted }),
    memories: (): number => memories,
    head: (): number => head,
    /** The sequence of the last change that the index has. */
    applied: (): number => applied,
    /** How many captures were applied. */
    indexed: (): number => indexed,

    /** Goes on after this sequence, because the index has what came before. False if changes were applied already. */
    resume(sequence: number, memories: number): boolean {
      if (applied > 0 || running !== undefined) return false;
      applied = sequence;
      indexed = memories;
      return true;
    },

    /** Begins again, because the index has nothing any more. */
    restart(): void {
      applied = 0;
      indexed = 0;
    },

    moveHead(to: NamespaceHead): void {
      memories = to.memories;
      head = to.head;
      isEncrypted = to.isEncrypted;
    },

    step,

    /** For a recall: applies changes until the index has all up to this sequence. */
    async reach(sequence: number): Promise<void> {
      waiting += 1;
      try {
        while (applied < sequence) await step();
      } finally {
        waiting -= 1;
      }
    },
  };
}
