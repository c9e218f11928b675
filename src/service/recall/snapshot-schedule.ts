// Which namespaces need a new snapshot. A snapshot costs as much as the namespace is large, so a large one gets it after
// more changes. A forgotten memory counts more than others: its words must leave the file.

/** A restart reads so many changes in less than a tenth of a second. */
const FEWEST_CHANGES = 2_000;
/** Or this part of the namespace's memories, if that is more. */
const SHARE_OF_MEMORIES = 1 / 16;
/** At the end of the process. Nothing else waits then, and the next start is faster. */
const FEWEST_CHANGES_AT_END = 500;
/** Pauses between two snapshots of a namespace are so many times as long as the last one took, and after a failure this long. */
const PAUSE_FACTOR = 20;
const PAUSE_AFTER_FAILURE_MS = 60_000;

interface State {
  isOnDisk: boolean;
  /** Since the snapshot. */
  changes: number;
  hasForgotten: boolean;
  /** A time before which no snapshot is made. */
  pauseEnd: number;
}

/** `memoriesIn` says how many memories the index has in a namespace. */
export function createSnapshotSchedule(memoriesIn: (namespace: string) => number, now: () => number) {
  const states = new Map<string, State>();

  function stateOf(namespace: string): State {
    const known = states.get(namespace);
    if (known !== undefined) return known;
    const state = { isOnDisk: false, changes: 0, hasForgotten: false, pauseEnd: 0 };
    states.set(namespace, state);
    return state;
  }

  function isDue(namespace: string, { isOnDisk, changes, hasForgotten, pauseEnd }: State, isLast: boolean): boolean {
    if (isOnDisk && changes > 0 && memoriesIn(namespace) === 0) return true;
    if (!isLast && now() < pauseEnd) return false;
    if (isOnDisk && hasForgotten) return true;
    const fewest = Math.max(FEWEST_CHANGES, memoriesIn(namespace) * SHARE_OF_MEMORIES);
    return memoriesIn(namespace) > 0 && changes >= (isLast ? FEWEST_CHANGES_AT_END : fewest);
  }

  return {
    changed({ kind, namespace }: { readonly kind: string; readonly namespace: string }): void {
      const state = stateOf(namespace);
      state.changes += 1;
      if (kind === "forgotten") state.hasForgotten = true;
    },

    /** A snapshot of this namespace was found. */
    found(namespace: string): void {
      stateOf(namespace).isOnDisk = true;
    },

    due: (isLast: boolean): string[] =>
      [...states].flatMap(([namespace, state]) => (isDue(namespace, state, isLast) ? namespace : [])),

    /** Begins a snapshot. The function that it returns is to be called at its end. */
    begin(namespace: string): (outcome: "written" | "removed" | "failed") => void {
      const state = stateOf(namespace);
      const { changes, hasForgotten } = state;
      const start = now();
      state.changes = 0;
      state.hasForgotten = false;
      return (outcome) => {
        if (outcome === "removed" && state.changes === 0) return void states.delete(namespace);
        state.isOnDisk = outcome === "written" || (state.isOnDisk && outcome === "failed");
        state.pauseEnd = now() + (outcome === "failed" ? PAUSE_AFTER_FAILURE_MS : PAUSE_FACTOR * (now() - start));
        if (outcome !== "failed") return;
        state.changes += changes;
        state.hasForgotten ||= hasForgotten;
      };
    },
  };
}
