// Snapshots of the recall index, one for each namespace. They make a restart faster and decide nothing: what is missing,
// damaged, or not on record as made of these records is built from the records. A failure is reported and changes nothing.
import { createHash } from "node:crypto";
import { runInSlices } from "#async/run-in-slices.ts";
import { createMutex } from "#async/semaphore.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { decodeSnapshot, type RestoredNamespace } from "#core/recall/index/snapshot-decoder.ts";
import type { Embed } from "#core/recall/question.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { NamespaceHead, SnapshotFiles, SnapshotRegister } from "#ports.ts";

export interface SnapshotOptions {
  readonly files: SnapshotFiles;
  /** Identifies the table of word vectors. */
  readonly table: string;
  /** Called with the first failure, and with the first one after a success. */
  readonly onFailure?: ((error: unknown) => void) | undefined;
  readonly now?: () => number;
}

interface Parts extends SnapshotOptions {
  readonly register: SnapshotRegister;
  readonly embed: Embed;
  readonly memoriesIn: (namespace: string) => number;
  /** The snapshot of this moment; undefined for a namespace without memories, and for an encrypted one. */
  readonly snapshotOf: (namespace: string) => Iterable<Uint8Array> | undefined;
}

export interface SaveOptions {
  /** The process ends: snapshots are made that would otherwise wait for more changes. */
  readonly isLast?: boolean;
  readonly signal?: AbortSignal;
}

export function createIndexSnapshots(parts: Parts) {
  const { files, register, table, embed, memoriesIn, snapshotOf } = parts;
  const { onFailure = () => undefined, now = () => performance.now() } = parts;
  const schedule = createSnapshotSchedule(memoriesIn, now);
  const exclusively = createMutex();
  /** The namespaces that have a snapshot, or are getting one. */
  const snapshots = new Set<string>();
  let hasFailed = false;

  function failed(error: unknown): undefined {
    if (!hasFailed) onFailure(error);
    hasFailed = true;
  }

  /** The snapshot of a namespace, if these records vouch for it. */
  async function read({ namespace, head }: NamespaceHead, digests: ReadonlySet<string>) {
    const file = await files.read(nameOf(namespace));
    if (file === undefined || !digests.has(file.digest)) return undefined;
    const restored = await runInSlices(decodeSnapshot(file.bytes, table, embed));
    return restored?.namespace === namespace && restored.position <= head ? restored : undefined;
  }

  async function loadAll(heads: readonly NamespaceHead[], take: (restored: RestoredNamespace) => boolean) {
    const vouched = new Map(await register.all());
    const strays = new Set(await files.names());
    for (const head of heads) {
      const digests = vouched.get(head.namespace);
      if (head.memories === 0 || head.isEncrypted || digests === undefined) continue;
      vouched.delete(head.namespace);
      if (!strays.has(nameOf(head.namespace))) continue;
      const restored = await read(head, digests).catch(failed);
      if (restored === undefined || !take(restored)) continue;
      schedule.found(head.namespace);
      snapshots.add(head.namespace);
      strays.delete(nameOf(head.namespace));
    }
    // Files of other databases, of namespaces that are gone, and what could not be read.
    for (const name of strays) await files.remove(name);
    for (const namespace of vouched.keys()) await register.remove(namespace);
  }

  async function write(namespace: string, signal?: AbortSignal): Promise<"written" | "removed"> {
    const chunks = snapshotOf(namespace);
    if (chunks === undefined) {
      await drop(namespace);
      return "removed";
    }
    snapshots.add(namespace);
    const digest = await files.write(nameOf(namespace), untilAborted(chunks, signal));
    await register.add(namespace, digest);
    return "written";
  }

  /** After a snapshot that is being written: it may have been begun before the removal. */
  async function drop(namespace: string): Promise<void> {
    await files.remove(nameOf(namespace));
    await register.remove(namespace);
  }

  async function saveDue({ isLast = false, signal }: SaveOptions): Promise<void> {
    for (const namespace of schedule.due(isLast)) {
      if (signal?.aborted) return;
      const end = schedule.begin(namespace);
      try {
        end(await write(namespace, signal));
        hasFailed = false;
      } catch (error) {
        end("failed");
        if (!signal?.aborted) failed(error);
      }
    }
  }

  return {
    /** Reads the snapshots of these namespaces. `take` says whether it could use one. Removes what belongs to none of them. */
    load: (heads: readonly NamespaceHead[], take: (restored: RestoredNamespace) => boolean): Promise<void> =>
      loadAll(heads, take).then(files.requireWritable).catch(failed),

    /** To be told of every change that the index applied. A snapshot with the words of a removed memory is removed. */
    changed(change: MemoryChange): void {
      schedule.changed(change);
      if (change.kind !== "forgotten" || !snapshots.delete(change.namespace)) return;
      void exclusively("save", () => drop(change.namespace)).catch(failed);
    },

    save: (options: SaveOptions = {}): Promise<void> => exclusively("save", () => saveDue(options)),
  };
}

/** File names do not tell the names of namespaces. */
const nameOf = (namespace: string): string => createHash("sha256").update(namespace).digest("hex");

function* untilAborted(chunks: Iterable<Uint8Array>, signal?: AbortSignal): Generator<Uint8Array> {
  for (const chunk of chunks) {
    signal?.throwIfAborted();
    yield chunk;
  }
}

// Which namespaces need a new snapshot: a large one after more changes, and soon if a word must leave the file.

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

  const newState = () => ({ isOnDisk: false, changes: 0, hasForgotten: false, pauseEnd: 0 });
  const stateOf = (namespace: string): State => getOrInsert(states, namespace, newState);

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
