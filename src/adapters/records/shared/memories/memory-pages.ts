// Pages of memories, newest first, in two reads. The first takes candidates from an index, as few as the scan budget
// allows. The second reads their rows and applies the conditions that the index cannot answer. Memories can be long, so
// the second read is also bounded by the size of their texts.

import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import { type SequencedMemory, toMemory } from "#adapters/records/shared/rows.ts";
import { countFitting } from "#core/count-fitting.ts";
import type { MemoryFilter, MemoryOnRecord, MemoryPage, PageOf } from "#ports.ts";

export type MemoryQuery = PageOf<number> & MemoryFilter;

export interface Candidate {
  readonly sequence: number;
  /** The size of its content. */
  readonly bytes: number;
}

export interface Candidates<C extends Candidate = Candidate> {
  /** Newest first. */
  readonly rows: readonly C[];
  /** The sequence down to which was looked; absent if there is nothing further down. */
  readonly end?: number;
}

export interface PagePlan {
  readonly before: number;
  readonly limit: number;
  readonly bytes: number;
  /** How many candidates to read. */
  readonly count: number;
  /** Whether the rows decide which candidates match. Otherwise every candidate does. */
  readonly needsRows: boolean;
  /** The wanted namespaces, without repeats. */
  readonly namespaces: readonly string[] | undefined;
  /** Whether candidates of all namespaces are read, because a read for each wanted one would be too many. */
  readonly readsAllNamespaces: boolean;
}

/** More wanted namespaces than this are not read one by one. */
const MAX_LISTS = 64;

export function planMemoryPage(query: MemoryQuery): PagePlan {
  const {
    before = UNLIMITED,
    limit,
    scan = UNLIMITED,
    bytes = UNLIMITED,
    sourceAgent,
    contains,
    createdBefore,
  } = query;
  const namespaces = query.namespaces && [...new Set(query.namespaces)];
  const readsAllNamespaces = namespaces !== undefined && namespaces.length > MAX_LISTS;
  const needsRows =
    contains !== undefined || createdBefore !== undefined || (namespaces !== undefined && sourceAgent !== undefined);
  const count = needsRows || readsAllNamespaces ? scan : limit;
  return { before, limit, bytes, count, needsRows, namespaces, readsAllNamespaces };
}

/** With several lists each still gives this many candidates, so that a page takes few reads. */
const SMALLEST_SHARE = 64;

/** How many of `count` candidates to read from each of several lists. */
export function shareOf(count: number, lists: number): number {
  return Math.max(Math.ceil(count / lists), Math.min(count, SMALLEST_SHARE));
}

/** At most `count` candidates. The reader asks for one row more, which shows that there are others. */
export function toCandidates<C extends Candidate>(rows: readonly C[], count: number): Candidates<C> {
  return cutAt(count, { rows });
}

/** Merges sorted lists. Below the end of a list that was cut off, its own next candidate is missing, so none counts. */
export function mergeCandidates(lists: readonly Candidates[]): Candidates {
  const ends = lists.flatMap(({ end }) => end ?? []);
  const floor = Math.max(0, ...ends);
  const rows = lists.flatMap((list) => list.rows.filter(({ sequence }) => sequence >= floor));
  rows.sort((a, b) => b.sequence - a.sequence);
  return ends.length > 0 ? { rows, end: floor } : { rows };
}

/** The candidates in one of these namespaces. */
export function candidatesIn(
  namespaces: readonly string[],
  { rows, ...end }: Candidates<Candidate & { readonly namespace: string }>,
): Candidates {
  const wanted = new Set(namespaces);
  return { rows: rows.filter(({ namespace }) => wanted.has(namespace)), ...end };
}

/** How much text the second read takes. It blocks the process on SQLite, and a page becomes one reply. */
const READ_BYTES = 500_000;

/** The candidates whose rows the second read takes: within the limit and the size, but at least one. */
export function candidatesToRead({ needsRows, limit }: PagePlan, candidates: Candidates): Candidates {
  const rows = needsRows ? candidates.rows : candidates.rows.slice(0, limit);
  return cutAt(
    countFitting(
      rows.map(({ bytes }) => bytes),
      READ_BYTES,
    ),
    candidates,
  );
}

function cutAt<C extends Candidate>(count: number, candidates: Candidates<C>): Candidates<C> {
  if (candidates.rows.length <= count) return candidates;
  const rows = candidates.rows.slice(0, count);
  const end = rows.at(-1)?.sequence;
  return end === undefined ? { rows } : { rows, end };
}

/** `rows` are those of `read` that match, newest first, and up to one more than the limit. */
export function toMemoryPage(
  { limit, bytes }: PagePlan,
  read: Candidates,
  rows: readonly SequencedMemory[],
): MemoryPage {
  const found = rows.slice(0, limit).map(toMemory);
  const memories = found.slice(0, countFitting(found.map(weightOf), bytes));
  const shown = memories.length;
  const next = rows.length > shown ? rows[shown - 1]?.sequence : read.end;
  return next === undefined ? { memories } : { memories, next };
}

/** A content in which the database has put ASCII letters into lower case. */
export interface FoldedRow {
  readonly sequence: number;
  readonly folded: string;
}

/**
 * The sequences of the rows that contain the text. The search of V8 takes linear time. Those of the databases (`LIKE`,
 * `instr`, `strpos`) do not, and a caller can choose the worst case.
 */
export function containing(text: string, rows: readonly FoldedRow[]): number[] {
  const folded = foldAscii(text);
  return rows.filter((row) => row.folded.includes(folded)).map(({ sequence }) => sequence);
}

/** ASCII letters in lower case, and all else as it is. */
export function foldAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** In bytes, as JSON. */
function weightOf(memory: MemoryOnRecord): number {
  return Buffer.byteLength(JSON.stringify(memory));
}
