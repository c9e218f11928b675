// Applies the changes of one namespace to the recall index: each once, in their order, and never beyond the head that
// was read together with the policy. It works in time slices, so that other requests are served in between.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ChangeFeed, NamespaceHead, RecordedChange } from "#ports.ts";

export type NamespaceFollower = ReturnType<typeof createNamespaceFollower>;

/** How long changes are applied in one turn of the event loop: while a recall waits for them, and in the background. */
const FOREGROUND_SLICE_MS = 5;
const BACKGROUND_SLICE_MS = 1;

export function createNamespaceFollower(
  changeFeed: Pick<ChangeFeed, "changesIn">,
  index: { apply(change: RecordedChange): void },
  given: NamespaceHead,
) {
  const { namespace, memories: first, head: firstHead } = given;
  let memories = first;
  let head = firstHead;
  let { isSealed } = given;
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
    current: (): NamespaceHead => ({ namespace, memories, head, isSealed }),
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
      isSealed = to.isSealed;
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
