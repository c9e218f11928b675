// The recall index of a tenant's memories, and its life: it is built at the start, from snapshots as far as there are any
// and from the records for the rest; it follows the change feed; it writes snapshots; it counts what it holds.
import { coalesce } from "#async/coalesce.ts";
import { runInSlices } from "#async/run-in-slices.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { PortcullisError } from "#core/errors.ts";
import type { RestoredNamespace } from "#core/recall/index/snapshot-decoder.ts";
import type { Embed } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import type { Metrics, RecordedChange, RecordStore } from "#ports.ts";
import type { FollowedMirror } from "#service/policy/policy-mirror.ts";
import { createIndexFollower, type OnProgress } from "./index-follower.ts";
import { createIndexSnapshots, type SaveOptions, type SnapshotOptions } from "./index-snapshots.ts";
import type { SentenceVectors } from "./sentence-vectors.ts";

export interface IndexOptions {
  readonly embed?: Embed | undefined;
  /** The vectors of a sentence model, if one is configured. */
  readonly sentences?: Pick<SentenceVectors, "vectorOf" | "captured" | "forgotten"> | undefined;
  /** Where snapshots of the index are kept, if anywhere. */
  readonly snapshots?: SnapshotOptions | undefined;
  readonly metrics?: Pick<Metrics, "gauge"> | undefined;
  /** Called when the index learns that a memory was removed. */
  readonly onRemoved?: (() => void) | undefined;
  /** Called when the index leaves out something of a namespace, once for each. */
  readonly onGap?: ((gap: IndexGap) => void) | undefined;
}

export type MemoryIndex = ReturnType<typeof createMemoryIndex>;
export type LoadedSnapshots = Awaited<ReturnType<MemoryIndex["build"]>>;

export function createMemoryIndex(
  records: Pick<RecordStore, "changeFeed" | "snapshots">,
  policy: FollowedMirror,
  { embed = () => undefined, sentences, snapshots: options, metrics, onRemoved, onGap }: IndexOptions = {},
) {
  const index = createRecallIndex({ embed, sentenceVectorOf: sentences?.vectorOf });
  const unread = createUnreadMemories();
  /** Namespaces that have, or had, encrypted memories. What the index has of them stays in memory. */
  const withEncrypted = new Set<string>();
  const writer = createIndexWriter({ index, unread, onGap });
  const follower = createIndexFollower(records.changeFeed, policy, {
    apply(change) {
      writer.apply(change);
      if (change.encrypted !== undefined) withEncrypted.add(change.namespace);
      snapshots?.changed(change);
      if (change.kind === "captured") sentences?.captured(change.namespace, change.sequence);
      else if (change.kind === "forgotten") {
        sentences?.forgotten(change.namespace, change.captured);
        onRemoved?.();
      }
    },
  });

  const isEncrypted = (namespace: string) =>
    withEncrypted.has(namespace) || follower.in(namespace)?.current().isEncrypted === true;
  const snapshots =
    options &&
    createIndexSnapshots({
      ...options,
      register: records.snapshots,
      embed,
      memoriesIn: index.count,
      snapshotOf: (namespace) =>
        isEncrypted(namespace)
          ? undefined
          : index.snapshot(namespace, follower.in(namespace)?.applied() ?? 0, options.table),
    });

  metrics?.gauge("indexMemories", () => index.size().memories);
  metrics?.gauge("indexNamespaces", () => index.size().namespaces);
  metrics?.gauge("indexTermsLeftOut", () => {
    let terms = 0;
    for (const namespace of index.namespaces()) terms += index.leftOutTerms(namespace);
    return terms;
  });

  /** False if changes of the namespace were applied already. */
  function restore(restored: RestoredNamespace): boolean {
    const { namespace, position } = restored;
    if (!follower.in(namespace)?.resume(position, restored.index.corpus.memories)) return false;
    index.restore(restored);
    for (const sequence of sequencesOf(restored)) sentences?.captured(namespace, sequence);
    return true;
  }

  function drop(restored: RestoredNamespace): void {
    const { namespace } = restored;
    for (const sequence of sequencesOf(restored)) sentences?.forgotten(namespace, sequence);
    index.drop(namespace);
    follower.in(namespace)?.restart();
  }

  /** Whether the index has other memories of the namespace than the records, although it has all changes. */
  function isWrong({ namespace }: RestoredNamespace): boolean {
    const followed = follower.in(namespace);
    return followed?.applied() === followed?.head() && followed?.memories() !== index.count(namespace);
  }

  return {
    async build(onProgress?: OnProgress) {
      const restored: RestoredNamespace[] = [];
      const heads = await follower.heads();
      const start = performance.now();
      await snapshots?.load(heads, (namespace) => restore(namespace) && restored.push(namespace) > 0);
      const milliseconds = Math.round(performance.now() - start);
      const sizes = new Map(restored.map((each) => [each, each.index.corpus.memories]));
      await follower.followAll(onProgress);
      const wrong = restored.filter(isWrong);
      for (const each of wrong) {
        sizes.delete(each);
        drop(each);
      }
      if (wrong.length > 0) await follower.followAll(onProgress);
      for (const namespace of index.namespaces()) writer.reportTerms(namespace);
      const memories = [...sizes.values()].reduce((sum, size) => sum + size, 0);
      return { namespaces: sizes.size, memories, milliseconds };
    },
    catchUp: (): Promise<void> => follower.followAll(),
    wake: follower.wake,
    whenCaughtUp: follower.whenCaughtUp,
    /** Writes snapshots of the index where they are due. Never rejects. */
    saveSnapshots: async (options?: SaveOptions): Promise<void> => snapshots?.save(options),

    /** As of the last read of the change feed, with the memories that cannot be decrypted and are not indexed. */
    state: () => ({
      position: policy.lastPosition(),
      policyVersion: policy.lastVersion(),
      memories: unread.addTo(index.counts()),
    }),
    count: (namespace: string): number => index.count(namespace) + unread.countIn(namespace),
    bytes: (): number => index.size().bytes,

    namespaces: index.namespaces,
    pinned: index.pinned,
    search: index.search,
    rank: index.rank,
  };
}

function* sequencesOf({ index }: RestoredNamespace): Generator<number> {
  for (let document = 0; document < index.size(); document++) {
    if (!index.isForgotten(document)) yield index.sequenceOf(document);
  }
}

// Applies changes to the recall index, whatever the memories hold. A memory that the index cannot take must not keep the
// service from starting, nor from forgetting it: it is left out of the index as far as needed, and that is reported.

/** What the index leaves out of a namespace: terms, because there are too many, or the text of memories. */
export interface IndexGap {
  readonly namespace: string;
  readonly leftOut: "terms" | "memories";
  readonly error?: unknown;
}

interface Parts {
  readonly index: Pick<ReturnType<typeof createRecallIndex>, "apply" | "compact" | "isSparse" | "leftOutTerms">;
  readonly unread: Pick<ReturnType<typeof createUnreadMemories>, "add" | "takes">;
  /** Called once for each namespace and kind. */
  readonly onGap?: ((gap: IndexGap) => void) | undefined;
}

export function createIndexWriter({ index, unread, onGap }: Parts) {
  const reported = { terms: new Set<string>(), memories: new Set<string>() };
  // If it fails, the next memory that is forgotten tries again.
  const compactSoon = coalesce(() => runInSlices(index.compact()).catch(() => undefined));

  function report(gap: IndexGap): void {
    const { size } = reported[gap.leftOut];
    if (reported[gap.leftOut].add(gap.namespace).size > size) onGap?.(gap);
  }

  function reportTerms(namespace: string): void {
    if (index.leftOutTerms(namespace) > 0) report({ namespace, leftOut: "terms" });
  }

  /** Without its text it can still be one of the newest. */
  function addWithoutText(change: RecordedChange & { kind: "captured" }): void {
    try {
      index.apply({ ...change, content: "" });
    } catch {
      unread.add(change);
    }
  }

  return {
    apply(change: RecordedChange): void {
      if (unread.takes(change)) return;
      try {
        index.apply(change);
      } catch (error) {
        if (change.kind !== "captured") throw error;
        report({ namespace: change.namespace, leftOut: "memories", error });
        addWithoutText(change);
      }
      if (change.kind === "captured") reportTerms(change.namespace);
      if (index.isSparse()) void compactSoon();
    },

    /** Of a namespace that came from a snapshot. */
    reportTerms,
  };
}

// Memories on record that are in no index, because they could not be decrypted or taken. They are counted.

export function createUnreadMemories() {
  /** The sequences of their captures, by namespace. */
  const sequences = new Map<string, Set<number>>();

  function add({ namespace, sequence }: Pick<RecordedChange, "namespace" | "sequence">): void {
    getOrInsert(sequences, namespace, () => new Set()).add(sequence);
  }

  return {
    add,

    /** Whether the change is about such a memory, so that the index need not know of it. */
    takes(change: RecordedChange): boolean {
      const own = sequences.get(change.namespace);
      if (change.kind !== "captured") {
        if (!own?.has(change.captured)) return false;
        if (change.kind === "forgotten") own.delete(change.captured);
        return true;
      }
      if (change.encrypted !== "unreadable") return false;
      add(change);
      return true;
    },

    countIn: (namespace: string): number => sequences.get(namespace)?.size ?? 0,

    /** How many memories each namespace has, with these. */
    addTo(counts: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
      const all = new Map(counts);
      for (const [namespace, own] of sequences)
        if (own.size > 0) all.set(namespace, (all.get(namespace) ?? 0) + own.size);
      return all;
    },
  };
}

/** How often to compare while other processes write. */
const ATTEMPTS = 5;

interface CheckedIndex {
  readonly index: Pick<MemoryIndex, "catchUp" | "state">;
  readonly records: Pick<RecordStore, "memories">;
}

/** By the numbers of memories: a recall would miss some, or find forgotten ones. `compared`: both showed one moment. */
export async function checkIndex({ index, records }: CheckedIndex) {
  let compared = false;
  for (let attempt = 0; attempt < ATTEMPTS && !compared; attempt++) {
    await index.catchUp();
    const { position, memories } = index.state();
    const { byNamespace } = await records.memories.counts();
    const differing = countDifferences(memories, byNamespace);
    await index.catchUp();
    compared = differing === 0 || index.state().position === position;
    if (compared && differing > 0) {
      throw new PortcullisError(
        "internal",
        `The records contradict themselves. Namespaces whose memories differ from their history: ${differing}. Use portcullis fsck to see the differences.`,
      );
    }
  }
  const { memories, policyVersion } = index.state();
  const total = [...memories.values()].reduce((sum, count) => sum + count, 0);
  return { memories: total, namespaces: memories.size, policyVersion, compared };
}

function countDifferences(left: ReadonlyMap<string, number>, right: ReadonlyMap<string, number>): number {
  const names = new Set([...left.keys(), ...right.keys()]);
  return [...names].filter((name) => left.get(name) !== right.get(name)).length;
}
