// The header of a snapshot: eight bytes that name the format and its version, the length of a JSON object, and the object.
// Bytes from outside are hostile: every number is checked before anything is allocated by it.
import { MAX_DOCUMENTS } from "#core/recall/index/postings.ts";

/**
 * To be raised when the layout changes, and also when a memory would give other terms, counts or vectors than before. A
 * test holds a sample to it. Snapshots of other versions are not read, and the index is built from the records.
 */
const VERSION = 1;
const MAGIC = `PCIX${String(VERSION).padStart(4, "0")}`;
const PREFIX_BYTES = MAGIC.length + 4;
const MAX_HEADER_BYTES = 64 * 1024;
/** Sequence, time, length and number of terms. */
export const BYTES_PER_MEMORY = 8 + 8 + 4 + 4;
export const BYTES_PER_ENTRY = 4;

export interface SnapshotHeader {
  readonly namespace: string;
  /** The sequence of the last change that the snapshot has. */
  readonly position: number;
  /** Identifies the table of word vectors. */
  readonly table: string;
  /** The sequences of the pinned memories. */
  readonly pinned: readonly number[];
  readonly memories: number;
  readonly terms: number;
  /** Terms of all memories: the length of the forward index. */
  readonly entries: number;
  /** Of a vector; 0 if there are none. */
  readonly dimensions: number;
}

export function encodeHeader({ namespace, position, table, pinned, memories, ...sizes }: SnapshotHeader): Uint8Array {
  const { terms, entries, dimensions } = sizes;
  const json = JSON.stringify({ namespace, position, table, pinned, memories, terms, entries, dimensions });
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
  try {
    if (utf8.decode(bytes.subarray(0, MAGIC.length)) !== MAGIC) return undefined;
    const header: unknown = JSON.parse(utf8.decode(bytes.subarray(PREFIX_BYTES, end)));
    return isHeader(header) && fits(header, bytes.length - end) ? { header, end } : undefined;
  } catch {
    return undefined;
  }
}

function isHeader(value: unknown): value is SnapshotHeader {
  if (typeof value !== "object" || value === null) return false;
  const { namespace, table, pinned, position, memories, terms, entries, dimensions } = value as Record<string, unknown>;
  return (
    typeof namespace === "string" &&
    typeof table === "string" &&
    Array.isArray(pinned) &&
    [...pinned, position, memories, terms, entries, dimensions].every(isCount)
  );
}

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;

function fits({ memories, terms, entries, dimensions }: SnapshotHeader, bytes: number): boolean {
  const needed = memories * (BYTES_PER_MEMORY + dimensions) + entries * BYTES_PER_ENTRY;
  return memories > 0 && memories <= MAX_DOCUMENTS && terms <= MAX_DOCUMENTS && needed + terms <= bytes;
}
