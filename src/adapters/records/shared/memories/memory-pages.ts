// Pages of memories, newest first, in two reads: candidates from an index the scan budget, and then their rows,
// within a size, with the conditions that the index cannot answer. The reads need not see one state: a sequence is
// given once, and a memory that was forgotten in between is left out.
import * as stored from "#adapters/records/shared/rows.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { countFitting } from "#core/collections/count-fitting.ts";
import { passes } from "#core/memories/fact-filter.ts";
import type { MemoryFilter, MemoryOnRecord, MemoryPage, MemoryRecords, PageOf } from "#ports.ts";

type MemoryQuery = PageOf<number> & MemoryFilter;

export interface Candidate {
  readonly sequence: number;
  readonly bytes: number;
}

export interface Candidates<C extends Candidate = Candidate> {
  readonly rows: readonly C[];
  /** The sequence down to which was looked; absent if there is nothing further down. */
  readonly end?: number;
}

export type PagePlan = ReturnType<typeof planMemoryPage>;

/** More wanted namespaces than this are not read one by one. */
const MAX_LISTS = 64;

export function planMemoryPage(query: MemoryQuery) {
  const { before = sql.UNLIMITED, scan = sql.UNLIMITED, bytes = sql.UNLIMITED } = query;
  const { limit, sourceAgent, contains, createdBefore, matching } = query;
  const namespaces = query.namespaces && [...new Set(query.namespaces)];
  // Then candidates of all are read, because a read for each wanted one would be too many.
  const readsAllNamespaces = namespaces !== undefined && namespaces.length > MAX_LISTS;
  /** Whether the rows decide which candidates match. Otherwise every candidate does. */
  const needsRows =
    [contains, createdBefore, matching].some((condition) => condition !== undefined) ||
    (namespaces !== undefined && sourceAgent !== undefined);
  const count = needsRows || readsAllNamespaces ? scan : limit;
  return { before, limit, bytes, count, needsRows, namespaces, readsAllNamespaces };
}

/** With several lists each still gives this many candidates, so that a page takes few reads. */
const SMALLEST_SHARE = 64;

/** How many of `count` candidates to read from each of several lists. */
export const shareOf = (count: number, lists: number): number =>
  Math.max(Math.ceil(count / lists), Math.min(count, SMALLEST_SHARE));

/** At most `count` candidates. The reader asks for one row more, which shows that there are others. */
export const toCandidates = <C extends Candidate>(rows: readonly C[], count: number): Candidates<C> =>
  cutAt(count, { rows });

/** Merges sorted lists. Below the end of a list that was cut off, its own next candidate is missing, so none counts. */
export function mergeCandidates(lists: readonly Candidates[]): Candidates {
  const ends = lists.flatMap(({ end }) => end ?? []);
  const floor = Math.max(0, ...ends);
  const rows = lists.flatMap((list) => list.rows.filter(({ sequence }) => sequence >= floor));
  rows.sort((a, b) => b.sequence - a.sequence);
  return ends.length > 0 ? { rows, end: floor } : { rows };
}

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
  rows: readonly stored.SequencedMemory[],
): MemoryPage {
  const found = rows.slice(0, limit).map(stored.toMemory);
  const memories = found.slice(0, countFitting(found.map(weightOf), bytes));
  const shown = memories.length;
  const next = rows.length > shown ? rows[shown - 1]?.sequence : read.end;
  return next === undefined ? { memories } : { memories, next };
}

interface CandidateRow extends Candidate {
  readonly namespace: string;
  readonly value: string;
}

interface FoldedRow {
  readonly sequence: number;
  /** The content, with ASCII letters in lower case. */
  readonly folded: string;
}

type Column = "namespace" | "source_agent";

function newestOf(table: string, candidate: string) {
  // The condition is a range of the index on value and sequence, and not an equality: with an equality PostgreSQL may
  // choose to walk through all memories from the newest on, which takes very long when the value is rare.
  const postgres = (column: Column) => `
    SELECT wanted.value, newest.* FROM unnest($3::text[]) AS wanted (value), LATERAL (
      SELECT ${candidate} FROM ${table}
      WHERE tenant = $tenant AND (${column}, sequence) < (wanted.value, $1) AND ${column} >= wanted.value
      ORDER BY ${column} DESC, sequence DESC LIMIT $2
    ) AS newest
    ORDER BY newest.sequence DESC`;
  const sqlite = (column: Column) => `
    SELECT ${column} AS value, ${candidate} FROM ${table} WHERE tenant = $tenant AND ${column} = $3 AND sequence < $1
    ORDER BY sequence DESC LIMIT $2`;
  const read = (column: Column) => sql.statement<CandidateRow>`${sql.either(sqlite(column), postgres(column))}`;
  const reads = { namespace: read("namespace"), source_agent: read("source_agent") };
  return (name: sql.DatabaseName, column: Column, values: readonly string[], before: number, count: number) =>
    name === "sqlite"
      ? values.map((value) => reads[column](before, count, value))
      : [reads[column](before, count, values)];
}

const pageStatements = (table: string, columns: string) => {
  // The size of a text is known without reading it.
  const candidate = `sequence, namespace, ${stored.TEXT_BYTES} AS bytes`;
  const ALL = sql.statement<CandidateRow>`
    SELECT ${candidate} FROM ${table} WHERE tenant = $tenant AND sequence < $1 ORDER BY sequence DESC LIMIT $2`;
  const wanted = `FROM ${table} WHERE tenant = $tenant AND ${sql.among("sequence", "$1")}`;
  // `lower` changes ASCII letters and no others: SQLite's always, and PostgreSQL's in the collation "C" of the column.
  const TEXTS = sql.statement<FoldedRow>`SELECT sequence, lower(content) AS folded ${wanted} ORDER BY sequence DESC`;
  const ROWS = sql.statement<stored.SequencedMemory>`
    SELECT sequence, ${columns} ${wanted} AND (CAST($2 AS text) IS NULL OR source_agent = $2)
      AND (CAST($3 AS text) IS NULL OR created_at < $3) AND ${sql.IS_CURRENT}
    ORDER BY sequence DESC LIMIT $4`;
  return { ALL, TEXTS, ROWS, newest: newestOf(table, candidate) };
};

const STATEMENTS = {
  current: pageStatements("memories", stored.MEMORY_COLUMNS),
  history: pageStatements("superseded_memories", stored.SUPERSEDED_COLUMNS),
};

function pagesOf({ name, rows }: sql.Database, kind: "current" | "history") {
  const { ALL, TEXTS, ROWS, newest } = STATEMENTS[kind];

  async function candidatesFor({ sourceAgent }: MemoryFilter, plan: PagePlan): Promise<Candidates> {
    const { before, count, namespaces, readsAllNamespaces } = plan;
    if (namespaces !== undefined && !readsAllNamespaces) return ofValues("namespace", namespaces, plan);
    if (namespaces === undefined && sourceAgent !== undefined) return ofValues("source_agent", [sourceAgent], plan);
    const all = toCandidates(await rows(ALL(before, count + 1)), count);
    return namespaces === undefined ? all : candidatesIn(namespaces, all);
  }

  async function ofValues(column: Column, values: readonly string[], { before, count }: PagePlan) {
    const share = shareOf(count, values.length);
    const reads = newest(name, column, values, before, share + 1).map((each) => rows(each));
    const found = (await Promise.all(reads)).flat();
    const lists = Map.groupBy(found, ({ value }) => value);
    return mergeCandidates([...lists.values()].map((each) => toCandidates(each, share)));
  }

  return async (query: MemoryQuery): Promise<MemoryPage> => {
    const { contains, sourceAgent = null, createdBefore = null, matching: filter } = query;
    const plan = planMemoryPage(query);
    const read = candidatesToRead(plan, await candidatesFor(query, plan));
    const sequences = read.rows.map(({ sequence }) => sequence);
    const matching = contains === undefined ? sequences : containing(contains, await rows(TEXTS(sequences)));
    const most = filter === undefined ? plan.limit + 1 : matching.length;
    const found = await rows(ROWS(matching, sourceAgent, createdBefore, most));
    const passing = filter === undefined ? found : found.filter((row) => passes(filter, stored.toMemory(row)));
    return toMemoryPage(plan, read, passing);
  };
}

export function memoryPages(database: sql.Database): MemoryRecords["page"] {
  const [current, history] = [pagesOf(database, "current"), pagesOf(database, "history")];
  return (query) => (query.superseded ? history(query) : current(query));
}

/**
 * V8 searches in linear time. The databases (`LIKE`, `instr`, `strpos`) do not, and a caller can choose the worst case.
 */
function containing(text: string, rows: readonly FoldedRow[]): number[] {
  const folded = foldAscii(text);
  return rows.filter((row) => row.folded.includes(folded)).map(({ sequence }) => sequence);
}

/** ASCII letters in lower case, and all else as it is. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());

export const weightOf = (memory: MemoryOnRecord): number => Buffer.byteLength(JSON.stringify(memory));
