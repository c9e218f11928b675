// Pages of memories, newest first. An index gives the candidates, as few as the bound allows; what no index answers is
// looked up in their rows. The two reads need not see one moment: a sequence is never given to another memory, and one
// that was forgotten in between is left out.

import type { Database } from "#adapters/records/postgres/connection/database.ts";
import { MEMORY_COLUMNS } from "#adapters/records/postgres/memories.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter, MemoryPage, PageOf } from "#ports.ts";

/** Sequences in falling order. */
interface Candidates {
  readonly sequences: readonly number[];
  /** There are others below these. */
  readonly hasMore: boolean;
}

/** Of many namespaces each still gives this many candidates at a time, so that a page takes few reads. */
const SMALLEST_SHARE = 64;
/** More than there will ever be. */
const ANY = 2 ** 50;

const OF_ALL = "SELECT sequence FROM memories WHERE sequence < $1 ORDER BY sequence DESC LIMIT $2";
// Each of the wanted values gives its newest. That they have the value is said as a range of the index on value and
// sequence, and the order too: said as an equality, PostgreSQL may choose to walk through all memories from the newest
// on, which takes for ever when the value is rare.
const ofEach = (column: "namespace" | "source_agent") => `
  SELECT wanted.value, newest.sequence FROM unnest($3::text[]) AS wanted (value), LATERAL (
    SELECT sequence FROM memories
    WHERE (${column}, sequence) < (wanted.value, $1) AND ${column} >= wanted.value
    ORDER BY ${column} DESC, sequence DESC LIMIT $2
  ) AS newest
  ORDER BY newest.sequence DESC`;
const OF_NAMESPACES = ofEach("namespace");
const OF_SOURCE_AGENT = ofEach("source_agent");
// The columns are in the order of bytes, and so is `lower` then: it knows ASCII letters and no others.
const MATCHING = `
  SELECT sequence, ${MEMORY_COLUMNS} FROM unnest($1::bigint[]) AS wanted (sequence) JOIN memories USING (sequence)
  WHERE ($2::text IS NULL OR source_agent = $2)
    AND ($3::text IS NULL OR strpos(lower(content), lower($3::text COLLATE "C")) > 0)
  ORDER BY sequence DESC LIMIT $4`;

type Run = Database["run"];
type Query = PageOf<number> & MemoryFilter;

export async function readMemoryPage(run: Run, query: Query): Promise<MemoryPage> {
  const { before = ANY, limit, scan = ANY, namespaces, sourceAgent, contains } = query;
  const needsRows = contains !== undefined || (namespaces !== undefined && sourceAgent !== undefined);
  const { sequences, hasMore } = await candidates(run, query, before, needsRows ? scan : limit);
  const seen = needsRows ? sequences : sequences.slice(0, limit);
  const rows = await run<Memory & { sequence: number }>({
    text: MATCHING,
    values: [seen, sourceAgent ?? null, contains ?? null, limit + 1],
  });
  const memories = rows.slice(0, limit).map(({ sequence: _, ...memory }) => memory);
  const last = rows.length > limit ? rows[limit - 1]?.sequence : seen.at(-1);
  const isLast = rows.length <= limit && !hasMore && seen.length === sequences.length;
  return isLast || last === undefined ? { memories } : { memories, next: last };
}

async function candidates(run: Run, filter: MemoryFilter, before: number, count: number): Promise<Candidates> {
  const { namespaces, sourceAgent } = filter;
  if (namespaces !== undefined) return ofValues(run, OF_NAMESPACES, [...new Set(namespaces)], before, count);
  if (sourceAgent !== undefined) return ofValues(run, OF_SOURCE_AGENT, [sourceAgent], before, count);
  return cut(await run<Candidate>({ text: OF_ALL, values: [before, count + 1] }), count);
}

async function ofValues(run: Run, text: string, wanted: readonly string[], before: number, count: number) {
  const share = Math.max(Math.ceil(count / wanted.length), Math.min(count, SMALLEST_SHARE));
  const rows = await run<Candidate>({ text, values: [before, share + 1, wanted] });
  return merged([...Map.groupBy(rows, ({ value }) => value).values()].map((each) => cut(each, share)));
}

interface Candidate {
  readonly sequence: number;
  readonly value?: string;
}

function cut(rows: readonly Candidate[], count: number): Candidates {
  return { sequences: rows.slice(0, count).map(({ sequence }) => sequence), hasMore: rows.length > count };
}

/** Where one of the lists was cut off, nothing below its end is known to be next. */
function merged(lists: readonly Candidates[]): Candidates {
  const ends = lists.flatMap(({ sequences, hasMore }) => (hasMore ? (sequences.at(-1) ?? []) : []));
  const floor = Math.max(0, ...ends);
  const all = lists.flatMap(({ sequences }) => sequences.filter((sequence) => sequence >= floor));
  return { sequences: all.sort((a, b) => b - a), hasMore: ends.length > 0 };
}
