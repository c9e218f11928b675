// A snapshot: the index of one namespace as bytes, for a faster restart. It holds what a build from the records would:
// no tombstones, and no term that only they had. Postings and statistics are made again, by the code that adds a
// captured memory. Layout, little-endian: the header; for all memories, oldest first, their sequences and times (64-bit
// floats), lengths and numbers of terms (32 bits each), terms (32 bits each) and vectors (8 bits a dimension); then the
// vocabulary in blocks: the number of terms, the number of bytes, and the terms in UTF-8 with line breaks between.
import { orUndefined } from "#core/defined.ts";
import * as shape from "#core/encoding/json-shape.ts";
import { TERM_BOUNDS } from "#core/recall/document-terms.ts";
import type { NamespaceIndex } from "./namespace-index.ts";
import { countOf, documentOf, MAX_DOCUMENTS, packed } from "./postings.ts";

interface SnapshotSource extends Pick<SnapshotHeader, "namespace" | "position" | "table" | "pinned"> {
  readonly index: NamespaceIndex;
}

/** A few milliseconds of work. */
const CHUNK_BYTES = 128 * 1024;
const TERMS_PER_BLOCK = 4_096;
/** Of a term that only forgotten memories have. */
const NO_NUMBER = 2 ** 32 - 1;

/** In chunks. The index may change meanwhile: documents are only ever added, and what to write is decided here. */
export function encodeSnapshot({ index, ...source }: SnapshotSource): Iterable<Uint8Array> {
  const documents = liveDocuments(index);
  const { numbers, count: terms } = liveTerms(index);
  const [entries, leftOut] = [index.liveEntries(), index.leftOut()];
  const dimensions = index.vectorOf(0)?.length ?? 0;
  // A pin may come before the change that says that its memory is forgotten.
  const pinned = source.pinned.filter((sequence) => index.has(sequence));
  const header = { ...source, pinned, memories: documents.length, terms, entries, leftOut, dimensions };
  return (function* () {
    yield encodeHeader(header);
    yield* columns(index, documents);
    yield* termColumn(index, documents, numbers);
    if (dimensions > 0)
      yield* column(documents, dimensions, (view, at, document) =>
        new Int8Array(view.buffer, at, dimensions).set(index.vectorOf(document) ?? []),
      );
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
  yield* column(documents, 8, (view, at, document) => view.setFloat64(at, index.occurredAt(document), true));
  yield* column(documents, 4, (view, at, document) => view.setUint32(at, index.lengthOf(document), true));
  yield* column(documents, 4, (view, at, document) => view.setUint32(at, index.termsOf(document).length, true));
}

function* column(documents: Uint32Array, bytes: number, write: (view: DataView, at: number, document: number) => void) {
  const perChunk = Math.ceil(CHUNK_BYTES / bytes);
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

// The header of a snapshot: eight bytes that name the format and its version, the length of a JSON object, and the object.
// Bytes from outside are hostile: every number is checked before anything is allocated by it.

/** To be raised when the layout changes, or what a memory gives: a test has a sample. No others are read. */
const VERSION = 4;
const MAGIC = `PCIX${String(VERSION).padStart(4, "0")}`;
const PREFIX_BYTES = MAGIC.length + 4;
const MAX_HEADER_BYTES = 64 * 1024;
/** Sequence, time, length and number of terms. */
export const BYTES_PER_MEMORY = 8 + 8 + 4 + 4;
export const BYTES_PER_ENTRY = 4;

const headerShape = shape.fields({
  namespace: shape.anyString,
  /** The sequence of the last change that the snapshot has. */
  position: shape.count,
  table: shape.anyString,
  pinned: shape.listOf(shape.count, MAX_HEADER_BYTES),
  memories: shape.count,
  terms: shape.count,
  /** Terms of all memories: the length of the forward index. */
  entries: shape.count,
  leftOut: shape.count,
  /** Of a vector; 0 if there are none. */
  dimensions: shape.count,
});

export type SnapshotHeader = shape.Shaped<typeof headerShape>;

function encodeHeader({ namespace, position, table, pinned, memories, ...sizes }: SnapshotHeader): Uint8Array {
  const { terms, entries, leftOut, dimensions } = sizes;
  const json = JSON.stringify({ namespace, position, table, pinned, memories, terms, entries, leftOut, dimensions });
  const text = new TextEncoder().encode(`${MAGIC}\0\0\0\0${json}`);
  new DataView(text.buffer).setUint32(MAGIC.length, text.length - PREFIX_BYTES, true);
  return text;
}

/** The header and where it ends; undefined if these bytes are no snapshot, or too few for what the header says. */
export function decodeHeader(bytes: Uint8Array): { header: SnapshotHeader; end: number } | undefined {
  if (bytes.length < PREFIX_BYTES) return undefined;
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const length = view.getUint32(MAGIC.length, true);
  const end = PREFIX_BYTES + length;
  if (length > MAX_HEADER_BYTES || end > bytes.length) return undefined;
  const isOurs = orUndefined(() => utf8.decode(bytes.subarray(0, MAGIC.length))) === MAGIC;
  const header: unknown = isOurs && orUndefined(() => JSON.parse(utf8.decode(bytes.subarray(PREFIX_BYTES, end))));
  return shape.fits(headerShape, header) && fits(header, bytes.length - end) ? { header, end } : undefined;
}

function fits({ memories, terms, entries, dimensions }: SnapshotHeader, bytes: number): boolean {
  const needed = memories * (BYTES_PER_MEMORY + dimensions) + entries * BYTES_PER_ENTRY;
  return memories > 0 && memories <= MAX_DOCUMENTS && terms <= TERM_BOUNDS.ofNamespace && needed + terms <= bytes;
}
