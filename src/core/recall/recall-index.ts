// The recall index, partitioned by namespace: the best memories for a question, without reading them all. Statistics
// are summed over the searched namespaces alone, so that what an agent gets cannot depend on text that it may not use.
// It is derived data, in commit order. A search yields after a few milliseconds of work, and does not look at memories
// that are added while it pauses.
import type { TermBounds } from "./document-terms.ts";
import { candidatesOf, type SentenceVectorOf } from "./index/candidates.ts";
import { compact } from "./index/compaction.ts";
import { lexicalHits, MAX_SCANNED, scanForward } from "./index/lexical-search.ts";
import { type CapturedMemory, createNamespaceIndex, type NamespaceIndex } from "./index/namespace-index.ts";
import { planSearch } from "./index/query-plan.ts";
import { closestInMeaning, closestOfRanked, newestOf } from "./index/scans.ts";
import { encodeSnapshot } from "./index/snapshot.ts";
import type { RestoredNamespace } from "./index/snapshot-decoder.ts";
import { createPins } from "./pins.ts";
import type { Embed, Question } from "./question.ts";
import { type RankedCandidate, rerank } from "./rerank.ts";
import { aboveFloor, FEWEST, fill, type Selected } from "./selection.ts";

/** `sequence` is the change's position in commit order. A memory is identified by the sequence of its capture. */
export type MemoryChange =
  | ({ readonly kind: "captured" } & CapturedMemory)
  | { readonly kind: "forgotten"; readonly sequence: number; readonly namespace: string; readonly captured: number }
  | {
      readonly kind: "pinned";
      readonly sequence: number;
      readonly namespace: string;
      readonly captured: number;
      /** False: it was unpinned. */
      readonly pinned: boolean;
    };

interface IndexOptions {
  readonly embed?: Embed | undefined;
  readonly sentenceVectorOf?: SentenceVectorOf | undefined;
  readonly bounds?: TermBounds;
  /** Whether small namespaces are compacted, too. Tests set it. */
  readonly compactsSmall?: boolean;
  /** Up to so many documents are scanned, more are searched by postings. Tests set it to hold both to the definition. */
  readonly maxScanned?: number;
}

export function createRecallIndex({
  embed = () => undefined,
  sentenceVectorOf = () => undefined,
  maxScanned = MAX_SCANNED,
  bounds,
  compactsSmall,
}: IndexOptions = {}) {
  const partitions = new Map<string, NamespaceIndex>();
  const createPartition = () => createNamespaceIndex({ embed, bounds, compactsSmall });
  const sparse = new Set<string>();
  /** The namespace that is being compacted, and the memories of it that were forgotten since that began. */
  let compacting: { readonly namespace: string; readonly forgotten: number[] } | undefined;
  const pins = createPins();
  let memories = 0;
  let bytes = 0;

  function* rankIn(question: Question, searched: readonly NamespaceIndex[]): Generator<void, RankedCandidate[]> {
    const plan = yield* planSearch(question, searched);
    // A turn of the event loop costs as much as all of a search in few memories.
    const isShort = plan.documents <= maxScanned;
    if (!isShort) yield;
    const hits = isShort ? scanForward(plan) : yield* lexicalHits(plan);
    if (!isShort) yield;
    return rerank(question, plan.weighted, candidatesOf(question, hits, sentenceVectorOf));
  }

  const bytesOf = (namespace: string): number => partitions.get(namespace)?.bytes() ?? 0;

  function partitionsOf(namespaces: readonly string[]): NamespaceIndex[] {
    const found: NamespaceIndex[] = [];
    for (const namespace of namespaces) {
      const partition = partitions.get(namespace);
      if (partition !== undefined) found.push(partition);
    }
    return found;
  }

  function forget(namespace: string, partition: NamespaceIndex, captured: number): void {
    partition.forget(captured);
    if (compacting?.namespace === namespace) compacting.forgotten.push(captured);
    if (partition.isSparse()) sparse.add(namespace);
  }

  function* compactOne(namespace: string): Generator<void> {
    const original = partitions.get(namespace);
    if (!original?.isSparse()) return;
    compacting = { namespace, forgotten: [] };
    try {
      const copy = yield* compact(original, createPartition(), compacting.forgotten);
      // It may have been emptied or dropped meanwhile. A search that is under way goes on in the original.
      if (partitions.get(namespace) !== original) return;
      partitions.set(namespace, copy);
      bytes += copy.bytes() - original.bytes();
      if (copy.isSparse()) sparse.add(namespace);
    } finally {
      compacting = undefined;
    }
  }

  return {
    /** Throws only if the namespace is full, or the text cannot be embedded; then the index is as before. */
    apply(change: MemoryChange): void {
      const { namespace } = change;
      const partition = partitions.get(namespace) ?? createPartition();
      const before = { memories: partition.corpus.memories, bytes: bytesOf(namespace) };
      if (change.kind === "captured") partition.add(change);
      else if (change.kind === "forgotten") forget(namespace, partition, change.captured);
      if (change.kind !== "captured") pins.set(namespace, change.captured, change.kind === "pinned" && change.pinned);
      memories += partition.corpus.memories - before.memories;
      if (partition.corpus.memories > 0) partitions.set(namespace, partition);
      else partitions.delete(namespace);
      bytes += bytesOf(namespace) - before.bytes;
    },

    /** Whether much of a namespace is of forgotten memories. Then `compact` gives it back. */
    isSparse: (): boolean => sparse.size > 0,

    /** One run at a time. Changes may be applied while it pauses. */
    *compact(): Generator<void> {
      for (const namespace of sparse) {
        sparse.delete(namespace);
        yield* compactOne(namespace);
      }
    },

    leftOutTerms: (namespace: string): number => partitions.get(namespace)?.leftOut() ?? 0,

    namespaces: (): string[] => [...partitions.keys()],

    count: (namespace: string): number => partitions.get(namespace)?.corpus.memories ?? 0,

    /** How many memories and namespaces there are, and about how many bytes they take, without counting them. */
    size: () => ({ memories, namespaces: partitions.size, bytes }),

    counts: () => new Map([...partitions].map(([namespace, { corpus }]) => [namespace, corpus.memories])),

    /** The snapshot of this moment, in chunks, if it has memories. `position`: the sequence of its last change. */
    snapshot(namespace: string, position: number, table: string): Iterable<Uint8Array> | undefined {
      const index = partitions.get(namespace);
      return index && encodeSnapshot({ namespace, position, table, pinned: pins.of(namespace), index });
    },

    /** Takes over a namespace from a snapshot. Changes after its position are then applied as usual. */
    restore({ namespace, index, pinned }: RestoredNamespace): void {
      memories += index.corpus.memories - (partitions.get(namespace)?.corpus.memories ?? 0);
      bytes += index.bytes() - bytesOf(namespace);
      partitions.set(namespace, index);
      for (const sequence of pinned) pins.set(namespace, sequence, true);
    },

    drop(namespace: string): void {
      memories -= partitions.get(namespace)?.corpus.memories ?? 0;
      bytes -= bytesOf(namespace);
      partitions.delete(namespace);
      pins.drop(namespace);
    },

    pinned: pins.newest,

    rank: (question: Question, namespaces: readonly string[]) => rankIn(question, partitionsOf(namespaces)),

    *search(question: Question, namespaces: readonly string[], limit: number): Generator<void, Selected[]> {
      const searched = partitionsOf(namespaces);
      if (question.isAboutEverything) {
        return newestOf(searched, limit).map((sequence) => ({ sequence, score: 0, why: { newest: true } }));
      }
      const ranked = yield* rankIn(question, searched);
      const relevant = aboveFloor(question, ranked, limit);
      if (relevant.length >= Math.min(FEWEST, limit)) return relevant;
      // Enough of both that `FEWEST` of them are not chosen yet.
      const closest = coversAll(ranked, searched)
        ? closestOfRanked(ranked, 2 * FEWEST)
        : yield* closestInMeaning(question, searched, 2 * FEWEST);
      return fill(relevant, closest, () => newestOf(searched, 2 * FEWEST)).slice(0, limit);
    },
  };
}

/** Whether the ranking compared every memory with the question by the table of word vectors. Then no scan need do it. */
function coversAll(ranked: readonly RankedCandidate[], searched: readonly NamespaceIndex[]): boolean {
  let memories = 0;
  for (const { corpus } of searched) memories += corpus.memories;
  return ranked.length === memories && ranked[0]?.meaningBy === "table";
}
