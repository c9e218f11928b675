// Reads a snapshot (snapshot.ts). The bytes may be anything: what does not hold together is no snapshot.
import { orUndefined } from "#core/defined.ts";
import { TERM_BOUNDS } from "#core/recall/document-terms.ts";
import type { Embed } from "#core/recall/question.ts";
import { createNamespaceIndex, type NamespaceIndex } from "./namespace-index.ts";
import { countOf, documentOf } from "./postings.ts";
import { BYTES_PER_ENTRY, BYTES_PER_MEMORY, decodeHeader, type SnapshotHeader } from "./snapshot.ts";

export interface RestoredNamespace {
  readonly namespace: string;
  readonly position: number;
  readonly pinned: readonly number[];
  readonly index: NamespaceIndex;
}

const MEMORIES_PER_SLICE = 2_000;
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Undefined if the bytes are not a snapshot of this version that was made with this table of word vectors. */
export function* decodeSnapshot(
  bytes: Uint8Array,
  table: string,
  embed: Embed,
): Generator<void, RestoredNamespace | undefined> {
  const decoded = decodeHeader(bytes);
  if (decoded === undefined || decoded.header.table !== table) return undefined;
  const { header, end } = decoded;
  if (header.dimensions !== (embed("")?.length ?? 0)) return undefined;
  const { namespace, position, pinned } = header;
  const index = createNamespaceIndex({ embed });
  index.restoreLeftOut(header.leftOut);
  const vocabularyAt = yield* restoreMemories(index, header, bytes.subarray(end));
  if (vocabularyAt === undefined) return undefined;
  const isComplete = yield* restoreVocabulary(index, header.terms, bytes.subarray(end + vocabularyAt));
  const arePinsKnown = pinned.every(index.has);
  return isComplete && arePinsKnown ? { namespace, position, pinned, index } : undefined;
}

/** Returns the number of bytes read; undefined if they do not hold together. */
function* restoreMemories(
  index: NamespaceIndex,
  header: SnapshotHeader,
  body: Uint8Array,
): Generator<void, number | undefined> {
  const { memories, entries, dimensions } = header;
  const vectorsAt = vectorsOf(header);
  let entry = 0;
  for (let start = 0; start < memories; start += MEMORIES_PER_SLICE) {
    const end = Math.min(start + MEMORIES_PER_SLICE, memories);
    const restored = restoreSlice(index, header, body, { start, end, entry });
    if (restored === undefined) return undefined;
    entry += restored;
    yield;
  }
  return entry === entries ? vectorsAt + memories * dimensions : undefined;
}

const vectorsOf = ({ memories, entries }: SnapshotHeader): number =>
  memories * BYTES_PER_MEMORY + entries * BYTES_PER_ENTRY;

/** Some memories, and where their terms begin in the forward index. */
interface Slice {
  readonly start: number;
  readonly end: number;
  readonly entry: number;
}

/** Returns the number of terms that the memories have. A function of its own, because V8 makes it faster than a generator. */
function restoreSlice(
  index: NamespaceIndex,
  header: SnapshotHeader,
  body: Uint8Array,
  { start, end, entry }: Slice,
): number | undefined {
  const { memories, terms, entries, position, dimensions } = header;
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  const vectors = new Int8Array(body.buffer, body.byteOffset + vectorsOf(header), memories * dimensions);
  const [times, lengths, sizes] = [memories * 8, memories * 16, memories * 20];
  const entriesAt = memories * BYTES_PER_MEMORY;
  const memoryTerms = new Uint32Array(TERM_BOUNDS.ofMemory);
  let at = entry;
  let previous = start === 0 ? -1 : view.getFloat64((start - 1) * 8, true);
  for (let i = start; i < end; i++) {
    const sequence = view.getFloat64(i * 8, true);
    const size = view.getUint32(sizes + i * 4, true);
    const isInOrder = Number.isSafeInteger(sequence) && sequence > previous && sequence <= position;
    if (!isInOrder || at + size > entries || size > memoryTerms.length) return undefined;
    if (!readTerms(view, entriesAt + at * BYTES_PER_ENTRY, size, terms, memoryTerms)) return undefined;
    index.restore({
      sequence,
      occurredAt: view.getFloat64(times + i * 8, true),
      length: view.getUint32(lengths + i * 4, true),
      terms: memoryTerms,
      termCount: size,
      vector: dimensions === 0 ? undefined : vectors.subarray(i * dimensions, (i + 1) * dimensions),
    });
    at += size;
    previous = sequence;
  }
  return at - entry;
}

/** Reads the terms of one memory, which must ascend and be of the vocabulary. False if they do not. */
function readTerms(view: DataView, at: number, size: number, vocabulary: number, into: Uint32Array): boolean {
  for (let i = 0, previous = -1; i < size; i++) {
    const entry = view.getUint32(at + i * BYTES_PER_ENTRY, true);
    const term = documentOf(entry);
    if (term <= previous || term >= vocabulary || countOf(entry) === 0) return false;
    into[i] = entry;
    previous = term;
  }
  return true;
}

/** Whether these bytes are blocks of so many different terms, each of which a memory has. */
function* restoreVocabulary(index: NamespaceIndex, terms: number, bytes: Uint8Array): Generator<void, boolean> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  let at = 0;
  while (at + 8 <= bytes.length) {
    const count = view.getUint32(at, true);
    const end = at + 8 + view.getUint32(at + 4, true);
    const text = bytes.subarray(at + 8, end);
    const block = end <= bytes.length ? orUndefined(() => utf8.decode(text))?.split("\n") : undefined;
    if (block === undefined || block.length !== count) return false;
    for (const term of block) {
      const number = index.terms.length;
      if (number >= terms || index.addTerm(term) !== number || index.memoriesWith(number) === 0) return false;
    }
    at = end;
    yield;
  }
  return at === bytes.length && index.terms.length === terms;
}
