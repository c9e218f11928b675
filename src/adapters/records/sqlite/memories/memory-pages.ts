import type { DatabaseSync } from "node:sqlite";
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
import { IS_CURRENT } from "./memory-table.ts";

type CandidateRow = Candidate & { readonly namespace: string };

type PageQuery = MemoryQuery & { readonly now: string };

/** The reads must see one state: run them in one transaction. */
export function memoryPages(database: DatabaseSync): (query: PageQuery) => MemoryPage {
  const current = pagesOf(database, "memories", MEMORY_COLUMNS);
  const superseded = pagesOf(database, "superseded_memories", SUPERSEDED_COLUMNS);
  return (query) => (query.superseded ? superseded(query) : current(query));
}

function pagesOf(database: DatabaseSync, table: string, columns: string): (query: PageQuery) => MemoryPage {
  // The size of a text stands in the row's header, so that the text itself is not read.
  const below = (condition: string) =>
    database.prepare(
      `SELECT sequence, namespace, octet_length(content) AS bytes FROM ${table} WHERE ${condition} AND sequence < ?
       ORDER BY sequence DESC LIMIT ?`,
    );
  const [ofAll, ofNamespace, ofSourceAgent] = [below("? IS NULL"), below("namespace = ?"), below("source_agent = ?")];
  const wanted = `FROM json_each(:sequences) AS wanted JOIN ${table} ON sequence = wanted.value`;
  // SQLite's `lower` changes ASCII letters and no others.
  const texts = database.prepare(`SELECT sequence, lower(content) AS folded ${wanted} ORDER BY wanted.key`);
  const rowsAt = database.prepare(
    `SELECT sequence, ${columns} ${wanted}
     WHERE (:sourceAgent IS NULL OR source_agent = :sourceAgent) AND (:createdBefore IS NULL OR created_at < :createdBefore)
       AND ${IS_CURRENT}
     ORDER BY wanted.key LIMIT :limit`,
  );

  function take(statement: typeof ofAll, value: string | null, before: number, count: number) {
    return toCandidates(statement.all(value, before, count + 1) as unknown as CandidateRow[], count);
  }

  function candidatesFor({ sourceAgent }: MemoryFilter, plan: PagePlan): Candidates {
    const { before, count, namespaces, readsAllNamespaces } = plan;
    if (namespaces !== undefined) {
      if (readsAllNamespaces) return candidatesIn(namespaces, take(ofAll, null, before, count));
      const share = shareOf(count, namespaces.length);
      return mergeCandidates(namespaces.map((namespace) => take(ofNamespace, namespace, before, share)));
    }
    if (sourceAgent !== undefined) return take(ofSourceAgent, sourceAgent, before, count);
    return take(ofAll, null, before, count);
  }

  function textsOf(sequences: readonly number[]): FoldedRow[] {
    return texts.all({ sequences: JSON.stringify(sequences) }) as unknown as FoldedRow[];
  }

  return (query) => {
    const { sourceAgent = null, createdBefore = null, contains, now } = query;
    const plan = planMemoryPage(query);
    const read = candidatesToRead(plan, candidatesFor(query, plan));
    const sequences = read.rows.map(({ sequence }) => sequence);
    const matching = contains === undefined ? sequences : containing(contains, textsOf(sequences));
    const values = { sequences: JSON.stringify(matching), sourceAgent, createdBefore, now, limit: plan.limit + 1 };
    return toMemoryPage(plan, read, rowsAt.all(values) as unknown as SequencedMemory[]);
  };
}
