// The reads of a page need not see one state: a sequence is never given to another memory, and a memory that was
// forgotten in between is left out.

import type { Database } from "#adapters/records/postgres/connection/database.ts";
import {
  type Candidate,
  type Candidates,
  candidatesIn,
  candidatesToRead,
  containing,
  type FoldedRow,
  type MemoryQuery,
  mergeCandidates,
  type PagePlan,
  planMemoryPage,
  shareOf,
  toCandidates,
  toMemoryPage,
} from "#adapters/records/shared/memories/memory-pages.ts";
import { MEMORY_COLUMNS, type SequencedMemory } from "#adapters/records/shared/rows.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";

// The size of a text is known without reading it.
const CANDIDATE = "sequence, namespace, octet_length(content) AS bytes";
const OF_ALL = `SELECT ${CANDIDATE} FROM memories WHERE sequence < $1 ORDER BY sequence DESC LIMIT $2`;
// Each value gives its newest memories. The condition is a range of the index on value and sequence, and not an
// equality: with an equality PostgreSQL may choose to walk through all memories from the newest on, which takes very
// long when the value is rare.
const ofEach = (column: "namespace" | "source_agent") => `
  SELECT wanted.value, newest.* FROM unnest($3::text[]) AS wanted (value), LATERAL (
    SELECT ${CANDIDATE} FROM memories
    WHERE (${column}, sequence) < (wanted.value, $1) AND ${column} >= wanted.value
    ORDER BY ${column} DESC, sequence DESC LIMIT $2
  ) AS newest
  ORDER BY newest.sequence DESC`;
const OF_NAMESPACES = ofEach("namespace");
const OF_SOURCE_AGENT = ofEach("source_agent");
const WANTED = "FROM unnest($1::bigint[]) AS wanted (sequence) JOIN memories USING (sequence)";
// The column has the collation "C", in which `lower` changes ASCII letters and no others.
const TEXTS = `SELECT sequence, lower(content) AS folded ${WANTED} ORDER BY sequence DESC`;
const ROWS = `
  SELECT sequence, ${MEMORY_COLUMNS} ${WANTED} WHERE $2::text IS NULL OR source_agent = $2
  ORDER BY sequence DESC LIMIT $3`;

interface CandidateRow extends Candidate {
  readonly namespace: string;
  readonly value?: string;
}

export async function readMemoryPage({ rows }: Database, query: MemoryQuery): Promise<MemoryPage> {
  const plan = planMemoryPage(query);
  const read = candidatesToRead(plan, await candidatesFor(rows, query, plan));
  const sequences = read.rows.map(({ sequence }) => sequence);
  const matching =
    query.contains === undefined
      ? sequences
      : containing(query.contains, await rows<FoldedRow>({ text: TEXTS, values: [sequences] }));
  const values = [matching, query.sourceAgent ?? null, plan.limit + 1];
  return toMemoryPage(plan, read, await rows<SequencedMemory>({ text: ROWS, values }));
}

type Rows = Database["rows"];

async function candidatesFor(rows: Rows, { sourceAgent }: MemoryFilter, plan: PagePlan): Promise<Candidates> {
  const { before, count, namespaces, readsAllNamespaces } = plan;
  const ofAll = async () =>
    toCandidates(await rows<CandidateRow>({ text: OF_ALL, values: [before, count + 1] }), count);
  if (namespaces !== undefined) {
    return readsAllNamespaces
      ? candidatesIn(namespaces, await ofAll())
      : ofValues(rows, OF_NAMESPACES, namespaces, plan);
  }
  if (sourceAgent !== undefined) return ofValues(rows, OF_SOURCE_AGENT, [sourceAgent], plan);
  return ofAll();
}

async function ofValues(rows: Rows, text: string, wanted: readonly string[], { before, count }: PagePlan) {
  const share = shareOf(count, wanted.length);
  const found = await rows<CandidateRow>({ text, values: [before, share + 1, wanted] });
  return mergeCandidates(
    [...Map.groupBy(found, ({ value }) => value).values()].map((each) => toCandidates(each, share)),
  );
}
