// The vectors that a sentence model gave for memories, and which still wait for one. Namespaces take turns, so that a
// flood in one does not starve the others; in each the newest memory comes first.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { partitionPoint } from "#core/collections/partition-point.ts";

const VECTORS_A_CHUNK = 1_024;

export function createSentenceVectorStore() {
  /** Sequences, ascending, by namespace, next first. A forgotten one is negated, so that none is moved. */
  const waiting = new Map<string, number[]>();
  let waitingCount = 0;
  /** Where the vector of a memory is, and which memory has the vector at each place. */
  const slots = new Map<number, number>();
  const owners: number[] = [];
  const chunks: Int8Array[] = [];
  /** The memory whose vector is being made. */
  let taken: number | undefined;

  function slotView(slot: number, dimensions: number): Int8Array {
    const chunk = Math.floor(slot / VECTORS_A_CHUNK);
    chunks[chunk] ??= new Int8Array(VECTORS_A_CHUNK * dimensions);
    const start = (slot % VECTORS_A_CHUNK) * dimensions;
    return (chunks[chunk] as Int8Array).subarray(start, start + dimensions);
  }
  const dimensionsOf = (): number => (chunks[0] as Int8Array).length / VECTORS_A_CHUNK;

  /** The last vector takes its place, so that chunks at the end become free. */
  function release(slot: number): void {
    const last = owners.length - 1;
    const owner = owners.pop() as number;
    if (slot < last) {
      slotView(slot, dimensionsOf()).set(slotView(last, dimensionsOf()));
      owners[slot] = owner;
      slots.set(owner, slot);
    }
    if (last % VECTORS_A_CHUNK === 0) chunks.pop();
  }

  return {
    /** Sequences must come in ascending order. */
    captured(namespace: string, sequence: number): void {
      waitingCount += 1;
      getOrInsert(waiting, namespace, () => []).push(sequence);
    },

    forgotten(namespace: string, sequence: number): void {
      if (taken === sequence) taken = undefined;
      const slot = slots.get(sequence);
      if (slot !== undefined) {
        slots.delete(sequence);
        release(slot);
        return;
      }
      const sequences = waiting.get(namespace) ?? [];
      const at = partitionPoint(sequences.length, (i) => Math.abs(sequences[i] as number) <= sequence) - 1;
      if (sequences[at] !== sequence) return;
      sequences[at] = -sequence;
      waitingCount -= 1;
    },

    /** Takes the memory whose vector is to be made next; undefined when none waits. */
    take(): number | undefined {
      for (const [namespace, sequences] of waiting) {
        const newest = popLive(sequences);
        waiting.delete(namespace);
        if (newest === undefined) continue;
        // Last in turn.
        waiting.set(namespace, sequences);
        waitingCount -= 1;
        taken = newest;
        return newest;
      }
      return undefined;
    },

    /** Keeps the vector of the memory that was taken, unless it has been forgotten since. */
    put(sequence: number, vector: Int8Array): void {
      if (taken !== sequence) return;
      taken = undefined;
      const slot = owners.push(sequence) - 1;
      slotView(slot, vector.length).set(vector);
      slots.set(sequence, slot);
    },

    /** Valid until the next change. */
    vectorOf(sequence: number): Int8Array | undefined {
      const slot = slots.get(sequence);
      return slot === undefined ? undefined : slotView(slot, dimensionsOf());
    },

    counts: () => ({ embedded: slots.size, waiting: waitingCount }),
    room: (): number => chunks.length * VECTORS_A_CHUNK,
  };
}

function popLive(sequences: number[]): number | undefined {
  for (let last = sequences.pop(); last !== undefined; last = sequences.pop()) if (last >= 0) return last;
  return undefined;
}
