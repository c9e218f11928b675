// Builds the recall index at the start: from snapshots as far as there are any, and from the records for the rest.
import type { RestoredNamespace } from "#core/recall/index/snapshot/snapshot-decoder.ts";
import type { createRecallIndex } from "#core/recall/recall-index.ts";
import type { IndexFollower, OnProgress } from "./index-follower.ts";
import type { IndexSnapshots } from "./index-snapshots.ts";
import type { SentenceVectors } from "./sentence-vectors.ts";

interface Parts {
  readonly index: ReturnType<typeof createRecallIndex>;
  readonly follower: IndexFollower;
  readonly snapshots: IndexSnapshots | undefined;
  readonly sentences: Pick<SentenceVectors, "captured" | "forgotten"> | undefined;
}

/** What came from snapshots. */
export interface LoadedSnapshots {
  readonly namespaces: number;
  readonly memories: number;
  /** How long that took. */
  readonly milliseconds: number;
}

export async function buildIndex(
  { index, follower, snapshots, sentences }: Parts,
  onProgress?: OnProgress,
): Promise<LoadedSnapshots> {
  const loaded = new Map<string, RestoredNamespace>();
  let memories = 0;

  function take(restored: RestoredNamespace): boolean {
    const { namespace, position, index: restoredIndex } = restored;
    const { memories: count } = restoredIndex.corpus;
    if (!follower.resume(namespace, position, count)) return false;
    index.restore(restored);
    loaded.set(namespace, restored);
    memories += count;
    for (const sequence of sequencesOf(restored)) sentences?.captured(namespace, sequence);
    return true;
  }

  const heads = await follower.heads();
  const start = performance.now();
  await snapshots?.load(heads, take);
  const milliseconds = Math.round(performance.now() - start);
  await follower.followAll(onProgress);
  const wrong = [...loaded.values()].filter(({ namespace }) => {
    const expected = follower.memoriesIn(namespace);
    return expected !== undefined && expected !== index.count(namespace);
  });
  for (const restored of wrong) {
    memories -= restored.index.corpus.memories;
    for (const sequence of sequencesOf(restored)) sentences?.forgotten(restored.namespace, sequence);
    index.drop(restored.namespace);
    follower.restart(restored.namespace);
  }
  if (wrong.length > 0) await follower.followAll(onProgress);
  return { namespaces: loaded.size - wrong.length, memories, milliseconds };
}

function* sequencesOf({ index }: RestoredNamespace): Generator<number> {
  for (let document = 0; document < index.size(); document++) {
    if (!index.isForgotten(document)) yield index.sequenceOf(document);
  }
}
