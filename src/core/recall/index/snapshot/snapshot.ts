// A snapshot: the index of one namespace as bytes, so that a restart need not read and analyse every memory again.
//
// It holds what a build from the records would hold: no tombstones, and no term that only forgotten memories had. Postings
// and statistics are not stored but made again, by the same code that adds a captured memory.
//
// Layout, little-endian: the header (snapshot-header.ts); then for all memories, oldest first, their sequences and times
// (64-bit floats), lengths and numbers of terms (32 bits each), terms (32 bits each) and vectors (8 bits a dimension);
// then the vocabulary in blocks: the number of terms, the number of bytes, and the terms in UTF-8 with line breaks between.
import type { NamespaceIndex } from "#core/recall/index/namespace-index.ts";
import { countOf, documentOf, packed } from "#core/recall/index/postings.ts";
import { encodeHeader } from "./snapshot-header.ts";

interface SnapshotSource {
  readonly namespace: string;
  /** The sequence of the last change that the index has. */
  readonly position: number;
  /** Identifies the table of word vectors. */
  readonly table: string;
  readonly pinned: readonly number[];
  readonly index: NamespaceIndex;
}

/** A few milliseconds of work. */
const CHUNK_BYTES = 128 * 1024;
const TERMS_PER_BLOCK = 4_096;
/** Of a term that only forgotten memories have. */
const NO_NUMBER = 2 ** 32 - 1;

/**
 * The snapshot of this moment, in chunks. The index may change before the last chunk is taken: documents are only ever
 * added, and what to write is decided here.
 */
export function encodeSnapshot({ index, ...source }: SnapshotSource): Iterable<Uint8Array> {
  const documents = liveDocuments(index);
  const { numbers, count: terms } = liveTerms(index);
  const entries = documents.reduce((sum, document) => sum + index.termCountOf(document), 0);
  const dimensions = index.vectorOf(0)?.length ?? 0;
  // A pin may come before the change that says that its memory is forgotten.
  const pinned = source.pinned.filter((sequence) => index.has(sequence));
  const header = { ...source, pinned, memories: documents.length, terms, entries, dimensions };
  return (function* () {
    yield encodeHeader(header);
    yield* columns(index, documents);
    yield* termColumn(index, documents, numbers);
    yield* vectorColumn(index, documents, dimensions);
    yield* vocabulary(index, numbers);
  })();
}

function liveDocuments(index: NamespaceIndex): Uint32Array {
  const documents = new Uint32Array(index.corpus.memories);
  for (let document = 0, at = 0; document < index.size(); document++) {
    if (!index.isForgotten(document)) documents[at++] = document;
  }
  return documents;
}

/** How many terms have a memory, and their new numbers by the old ones. */
function liveTerms(index: NamespaceIndex): { numbers: Uint32Array; count: number } {
  const numbers = new Uint32Array(index.terms.length).fill(NO_NUMBER);
  let count = 0;
  for (let number = 0; number < numbers.length; number++) {
    if (index.memoriesWith(number) > 0) numbers[number] = count++;
  }
  return { numbers, count };
}

function* columns(index: NamespaceIndex, documents: Uint32Array): Generator<Uint8Array> {
  yield* column(documents, 8, (view, at, document) => view.setFloat64(at, index.sequenceOf(document), true));
  yield* column(documents, 8, (view, at, document) => view.setFloat64(at, index.capturedAt(document), true));
  yield* column(documents, 4, (view, at, document) => view.setUint32(at, index.lengthOf(document), true));
  yield* column(documents, 4, (view, at, document) => view.setUint32(at, index.termCountOf(document), true));
}

function* column(
  documents: Uint32Array,
  bytes: number,
  write: (view: DataView, at: number, document: number) => void,
): Generator<Uint8Array> {
  const perChunk = CHUNK_BYTES / bytes;
  for (let start = 0; start < documents.length; start += perChunk) {
    const part = documents.subarray(start, start + perChunk);
    const view = new DataView(new ArrayBuffer(part.length * bytes));
    for (const [i, document] of part.entries()) write(view, i * bytes, document);
    yield new Uint8Array(view.buffer);
  }
}

function* termColumn(index: NamespaceIndex, documents: Uint32Array, numbers: Uint32Array): Generator<Uint8Array> {
  let view = new DataView(new ArrayBuffer(CHUNK_BYTES));
  let at = 0;
  for (const document of documents) {
    for (const entry of index.termsOf(document)) {
      view.setUint32(at, packed(numbers[documentOf(entry)] as number, countOf(entry)), true);
      at += 4;
      if (at < CHUNK_BYTES) continue;
      yield new Uint8Array(view.buffer);
      view = new DataView(new ArrayBuffer(CHUNK_BYTES));
      at = 0;
    }
  }
  if (at > 0) yield new Uint8Array(view.buffer, 0, at);
}

function* vectorColumn(index: NamespaceIndex, documents: Uint32Array, dimensions: number): Generator<Uint8Array> {
  if (dimensions === 0) return;
  const perChunk = Math.ceil(CHUNK_BYTES / dimensions);
  for (let start = 0; start < documents.length; start += perChunk) {
    const part = documents.subarray(start, start + perChunk);
    const vectors = new Int8Array(part.length * dimensions);
    for (const [i, document] of part.entries()) vectors.set(index.vectorOf(document) ?? [], i * dimensions);
    yield new Uint8Array(vectors.buffer);
  }
}

function* vocabulary(index: NamespaceIndex, numbers: Uint32Array): Generator<Uint8Array> {
  for (let start = 0; start < numbers.length; start += TERMS_PER_BLOCK) {
    const part = index.terms.slice(start, Math.min(start + TERMS_PER_BLOCK, numbers.length));
    const terms = part.filter((_, i) => numbers[start + i] !== NO_NUMBER);
    if (terms.length > 0) yield* vocabularyBlock(terms);
  }
}

function* vocabularyBlock(terms: readonly string[]): Generator<Uint8Array> {
  const text = new TextEncoder().encode(terms.join("\n"));
  const sizes = new DataView(new ArrayBuffer(8));
  sizes.setUint32(0, terms.length, true);
  sizes.setUint32(4, text.length, true);
  yield new Uint8Array(sizes.buffer);
  yield text;
}
