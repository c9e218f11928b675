// Pages of memories, newest first, in two reads. The first takes candidates from an index, as few as the scan budget
// allows. The second reads their rows and applies the conditions that the index cannot answer.
import type { MemoryFilter, MemoryPage, PageOf } from "#ports.ts";
import { UNLIMITED } from "./paging.ts";
import { type SequencedMemory, toMemory } from "./rows.ts";

export type MemoryQuery = PageOf<number> & MemoryFilter;

/** Sequences in falling order. */
export interface Candidates {
  readonly sequences: readonly number[];
  /** Whether there are others below these. */
  readonly hasMore: boolean;
}

export interface PagePlan {
  readonly before: number;
  readonly limit: number;
  /** How many candidates to read. */
  readonly count: number;
  /** Whether the rows decide which candidates match. Otherwise every candidate does. */
  readonly needsRows: boolean;
}

export function planMemoryPage(query: MemoryQuery): PagePlan {
  const { before = UNLIMITED, limit, scan = UNLIMITED, namespaces, sourceAgent, contains } = query;
  const needsRows = contains !== undefined || (namespaces !== undefined && sourceAgent !== undefined);
  return { before, limit, count: needsRows ? scan : limit, needsRows };
}

/** With many namespaces each still gives this many candidates, so that a page takes few reads. */
const SMALLEST_SHARE = 64;

/** How many of `count` candidates to read from each of several lists. */
export function shareOf(count: number, lists: number): number {
  return Math.max(Math.ceil(count / lists), Math.min(count, SMALLEST_SHARE));
}

/** At most `count` candidates. The reader asks for one row more, which shows that there are others. */
export function toCandidates(rows: readonly { readonly sequence: number }[], count: number): Candidates {
  return { sequences: rows.slice(0, count).map(({ sequence }) => sequence), hasMore: rows.length > count };
}

/** Merges sorted lists. Below the end of a list that was cut off, its own next candidate is missing, so none counts. */
export function mergeCandidates(lists: readonly Candidates[]): Candidates {
  const ends = lists.flatMap(({ sequences, hasMore }) => (hasMore ? (sequences.at(-1) ?? []) : []));
  const floor = Math.max(0, ...ends);
  const sequences = lists.flatMap((list) => list.sequences.filter((sequence) => sequence >= floor));
  return { sequences: sequences.sort((a, b) => b - a), hasMore: ends.length > 0 };
}

/** The candidates whose rows the second read takes. */
export function sequencesToRead({ needsRows, limit }: PagePlan, { sequences }: Candidates): readonly number[] {
  return needsRows ? sequences : sequences.slice(0, limit);
}

/** `rows` are those of `read` that match, newest first, and up to one more than the limit. */
export function toMemoryPage(
  { limit }: PagePlan,
  { sequences, hasMore }: Candidates,
  read: readonly number[],
  rows: readonly SequencedMemory[],
): MemoryPage {
  const memories = rows.slice(0, limit).map(toMemory);
  const last = rows.length > limit ? rows[limit - 1]?.sequence : read.at(-1);
  const isLast = rows.length <= limit && !hasMore && read.length === sequences.length;
  return isLast || last === undefined ? { memories } : { memories, next: last };
}
