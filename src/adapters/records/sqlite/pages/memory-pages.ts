import type { DatabaseSync } from "node:sqlite";
import {
  type Candidates,
  type MemoryQuery,
  mergeCandidates,
  type PagePlan,
  planMemoryPage,
  sequencesToRead,
  shareOf,
  toCandidates,
  toMemoryPage,
} from "#adapters/records/shared/memory-pages.ts";
import { MEMORY_COLUMNS, type SequencedMemory } from "#adapters/records/shared/rows.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";

/** The two reads must see one state: run them in one transaction. */
export function memoryPages(database: DatabaseSync): (query: MemoryQuery) => MemoryPage {
  const below = (condition: string) =>
    database.prepare(
      `SELECT sequence FROM memories WHERE ${condition} AND sequence < ? ORDER BY sequence DESC LIMIT ?`,
    );
  const [ofAll, ofNamespace, ofSourceAgent] = [below("? IS NULL"), below("namespace = ?"), below("source_agent = ?")];
  const matching = database.prepare(
    `SELECT sequence, ${MEMORY_COLUMNS} FROM json_each(:sequences) AS wanted JOIN memories ON sequence = wanted.value
     WHERE (:sourceAgent IS NULL OR source_agent = :sourceAgent)
       AND (:namespaces IS NULL OR namespace IN (SELECT value FROM json_each(:namespaces)))
       AND (:like IS NULL OR content LIKE :like ESCAPE '\\')
     ORDER BY wanted.key LIMIT :limit`,
  );

  function take(statement: typeof ofAll, value: string | null, before: number, count: number): Candidates {
    return toCandidates(statement.all(value, before, count + 1) as { sequence: number }[], count);
  }

  function candidatesFor({ sourceAgent }: MemoryFilter, { before, count, looksUp }: PagePlan): Candidates {
    if (looksUp !== undefined) {
      const share = shareOf(count, looksUp.length);
      return mergeCandidates([...new Set(looksUp)].map((namespace) => take(ofNamespace, namespace, before, share)));
    }
    if (sourceAgent !== undefined) return take(ofSourceAgent, sourceAgent, before, count);
    return take(ofAll, null, before, count);
  }

  function matchesAmong(sequences: readonly number[], { sourceAgent, contains }: MemoryFilter, plan: PagePlan) {
    return matching.all({
      sequences: JSON.stringify(sequences),
      sourceAgent: sourceAgent ?? null,
      namespaces: plan.checks === undefined ? null : JSON.stringify(plan.checks),
      like: contains === undefined ? null : `%${contains.replaceAll(/[\\%_]/g, "\\$&")}%`,
      limit: plan.limit + 1,
    }) as unknown as SequencedMemory[];
  }

  return (query) => {
    const plan = planMemoryPage(query);
    const candidates = candidatesFor(query, plan);
    const sequences = sequencesToRead(plan, candidates);
    return toMemoryPage(plan, candidates, sequences, matchesAmong(sequences, query, plan));
  };
}
