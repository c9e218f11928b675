// Top-k selection: a binary heap with the worst of the best at its root. Most offers lose to the root, so the common case
// is one comparison and no allocation. Of equal scores the newer is better.

export interface Hit<From> {
  readonly score: number;
  readonly sequence: number;
  readonly from: From;
  readonly document: number;
}

export type TopK<From> = ReturnType<typeof createTopK<From>>;

/** Hits with a score below `floor` are refused. */
export function createTopK<From>(limit: number, floor = -Infinity) {
  const heap: Hit<From>[] = [];

  function siftUp(): void {
    let child = heap.length - 1;
    while (child > 0) {
      const parent = (child - 1) >> 1;
      if (!beats(heap[parent] as Hit<From>, heap[child] as Hit<From>)) return;
      swap(child, parent);
      child = parent;
    }
  }

  function siftDown(): void {
    for (let parent = 0; ; ) {
      let worst = parent;
      const end = Math.min(2 * parent + 3, heap.length);
      for (let child = 2 * parent + 1; child < end; child++)
        if (beats(heap[worst] as Hit<From>, heap[child] as Hit<From>)) worst = child;
      if (worst === parent) return;
      swap(parent, worst);
      parent = worst;
    }
  }

  function swap(i: number, j: number): void {
    [heap[i], heap[j]] = [heap[j] as Hit<From>, heap[i] as Hit<From>];
  }

  return {
    offer(score: number, sequence: number, from: From, document: number): void {
      if (score < floor) return;
      const worst = heap[0];
      if (heap.length < limit) {
        heap.push({ score, sequence, from, document });
        siftUp();
      } else if (worst !== undefined && (score > worst.score || (score === worst.score && sequence > worst.sequence))) {
        heap[0] = { score, sequence, from, document };
        siftDown();
      }
    },
    /** What a score must reach to be among the best. */
    threshold: (): number => (heap.length < limit ? floor : (heap[0] as Hit<From>).score),
    hits: (): Hit<From>[] => heap.toSorted((a, b) => b.score - a.score || b.sequence - a.sequence),
  };
}

function beats(hit: { score: number; sequence: number }, other: { score: number; sequence: number }): boolean {
  return hit.score > other.score || (hit.score === other.score && hit.sequence > other.sequence);
}
