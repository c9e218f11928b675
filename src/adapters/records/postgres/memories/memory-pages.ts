// The reads of a page need not see one state: a sequence is never given to another memory, and a memory that was
// forgotten in between is left out.

import { IS_CURRENT } from "#adapters/records/postgres/connection/clock.ts";
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
import { MEMORY_COLUMNS, type SequencedMemory, SUPERSEDED_COLUMNS } from "#adapters/records/shared/rows.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";

interface Statements {
  readonly ofAll: string;
  readonly ofNamespaces: string;
  readonly ofSourceAgent: string;
  readonly texts: string;
  readonly rows: string;
}

function statementsOf(table: string, columns: string): Statements {
  // The size of a text is known without reading it.
  const candidate = "sequence, namespace, octet_length(content) AS bytes";
  // Each value gives its newest memories. The condition is a range of the index on value and sequence, and not an
  // equality: with an equality PostgreSQL may choose to walk through all memories from the newest on, which takes very
  // long when the value is rare.
  const ofEach = (column: "namespace" | "source_agent") => `
    SELECT wanted.value, newest.* FROM unnest($3::text[]) AS wanted (value), LATERAL (
      SELECT ${candidate} FROM ${table}
      WHERE (${column}, sequence) < (wanted.value, $1) AND ${column} >= wanted.value
      ORDER BY ${column} DESC, sequence DESC LIMIT $2
    ) AS newest
    ORDER BY newest.sequence DESC`;
  const wanted = `FROM unnest($1::bigint[]) AS wanted (sequence) JOIN ${table} USING (sequence)`;
  return {
    ofAll: `SELECT ${candidate} FROM ${table} WHERE sequence < $1 ORDER BY sequence DESC LIMIT $2`,
    ofNamespaces: ofEach("namespace"),
    ofSourceAgent: ofEach("source_agent"),
    // The column has the collation "C", in which `lower` changes ASCII letters and no others.
    texts: `SELECT sequence, lower(content) AS folded ${wanted} ORDER BY sequence DESC`,
    rows: `
      SELECT sequence, ${columns} ${wanted}
      WHERE ($2::text IS NULL OR source_agent = $2) AND ($3::text IS NULL OR created_at < $3) AND ${IS_CURRENT}
      ORDER BY sequence DESC LIMIT $4`,
  };
}

const CURRENT = statementsOf("memories", MEMORY_COLUMNS);
const HISTORY = statementsOf("superseded_memories", SUPERSEDED_COLUMNS);

interface CandidateRow extends Candidate {
  readonly namespace: string;
  readonly value?: string;
}

export async function readMemoryPage({ rows }: Database, query: MemoryQuery): Promise<MemoryPage> {
  const plan = planMemoryPage(query);
  const statements = query.superseded ? HISTORY : CURRENT;
  const read = candidatesToRead(plan, await candidatesFor(rows, statements, query, plan));
  const sequences = read.rows.map(({ sequence }) => sequence);
  const matching =
    query.contains === undefined
      ? sequences
      : containing(query.contains, await rows<FoldedRow>({ text: statements.texts, values: [sequences] }));
  const values = [matching, query.sourceAgent ?? null, query.createdBefore ?? null, plan.limit + 1];
  return toMemoryPage(plan, read, await rows<SequencedMemory>({ text: statements.rows, values }));
}

type Rows = Database["rows"];

async function candidatesFor(
  rows: Rows,
  statements: Statements,
  { sourceAgent }: MemoryFilter,
  plan: PagePlan,
): Promise<Candidates> {
  const { before, count, namespaces, readsAllNamespaces } = plan;
  const ofAll = async () =>
    toCandidates(await rows<CandidateRow>({ text: statements.ofAll, values: [before, count + 1] }), count);
  if (namespaces !== undefined) {
    return readsAllNamespaces
      ? candidatesIn(namespaces, await ofAll())
      : ofValues(rows, statements.ofNamespaces, namespaces, plan);
  }
  if (sourceAgent !== undefined) return ofValues(rows, statements.ofSourceAgent, [sourceAgent], plan);
  return ofAll();
}

async function ofValues(rows: Rows, text: string, wanted: readonly string[], { before, count }: PagePlan) {
  const share = shareOf(count, wanted.length);
  const found = await rows<CandidateRow>({ text, values: [before, share + 1, wanted] });
  return mergeCandidates(
    [...Map.groupBy(found, ({ value }) => value).values()].map((each) => toCandidates(each, share)),
  );
}
