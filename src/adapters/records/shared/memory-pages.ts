// Pages of memories, newest first, in two reads. The first takes candidates from an index, as few as the scan budget
// allows. The second reads their rows and applies the conditions that the index cannot answer.
import { countFitting } from "#core/count-fitting.ts";
import type { Memory } from "#core/memory.ts";
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
  readonly bytes: number;
  /** How many candidates to read. */
  readonly count: number;
  /** Whether the rows decide which candidates match. Otherwise every candidate does. */
  readonly needsRows: boolean;
  /** Of the filter, when they are few: each is looked up in the index. */
  readonly looksUp: readonly string[] | undefined;
  /** Of the filter, when they are many: the newest memories are read, and their rows decide. */
  readonly checks: readonly string[] | undefined;
}

export function planMemoryPage(query: MemoryQuery): PagePlan {
  const { before = UNLIMITED, limit, scan = UNLIMITED, bytes = UNLIMITED, namespaces, sourceAgent, contains } = query;
  const isMany = namespaces !== undefined && namespaces.length > MOST_LOOKED_UP;
  const needsRows = contains !== undefined || isMany || (namespaces !== undefined && sourceAgent !== undefined);
  const [looksUp, checks] = isMany ? [undefined, namespaces] : [namespaces, undefined];
  return { before, limit, bytes, count: needsRows ? scan : limit, needsRows, looksUp, checks };
}

/** Each name that is looked up in the index costs a search. */
const MOST_LOOKED_UP = 256;

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
  { limit, bytes }: PagePlan,
  { sequences, hasMore }: Candidates,
  read: readonly number[],
  rows: readonly SequencedMemory[],
): MemoryPage {
  const found = rows.slice(0, limit).map(toMemory);
  const memories = found.slice(0, countFitting(found.map(weightOf), bytes));
  const shown = memories.length;
  const last = rows.length > shown ? rows[shown - 1]?.sequence : read.at(-1);
  const isLast = rows.length <= shown && !hasMore && read.length === sequences.length;
  return isLast || last === undefined ? { memories } : { memories, next: last };
}

/** In bytes, as JSON. */
function weightOf(memory: Memory): number {
  return Buffer.byteLength(JSON.stringify(memory));
}
