// SQLite's full-text search over the same memories, as the obvious alternative. It is in memory and merged into one
// segment before the first query, so that it is as fast as it can be.
import { DatabaseSync } from "node:sqlite";
import { ALLOWED, type Captured } from "./corpus.ts";

export interface FullTextSearch {
  /** The sequences of the best `limit` memories in the allowed namespaces, best first. */
  search(query: string, limit: number): number[];
  close(): void;
}

/** Calls `onBuilt` when all memories are inserted, before the merge. */
export function createFts5(memories: readonly Captured[], onBuilt: () => void = () => {}): FullTextSearch {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE VIRTUAL TABLE docs USING fts5(content, namespace UNINDEXED, tokenize = 'porter unicode61')");
  const insert = database.prepare("INSERT INTO docs (rowid, content, namespace) VALUES (?, ?, ?)");
  database.exec("BEGIN");
  for (const { sequence, content, namespace } of memories) insert.run(sequence, content, namespace);
  database.exec("COMMIT");
  onBuilt();
  database.exec("INSERT INTO docs (docs) VALUES ('optimize')");

  const select = database.prepare(
    `SELECT rowid AS sequence FROM docs
     WHERE docs MATCH ? AND namespace IN (${ALLOWED.map(() => "?").join(", ")})
     ORDER BY bm25(docs), rowid DESC LIMIT ?`,
  );
  return {
    search: (query, limit) => select.all(anyTermOf(query), ...ALLOWED, limit).map(({ sequence }) => Number(sequence)),
    close: () => database.close(),
  };
}

function anyTermOf(query: string): string {
  const terms = new Set(query.split(" "));
  return [...terms].map((term) => `"${term}"`).join(" OR ");
}
