import type { MemoryReads } from "#adapters/records/shared/memory-pages.ts";
import { MEMORY_COLUMNS } from "#adapters/records/shared/memory-queries.ts";
import type { Connection } from "./connection/connection.ts";

const newestOf = (column: "namespace" | "source_agent") =>
  `SELECT sequence FROM memories WHERE ${column} = $1 AND sequence < $2 ORDER BY sequence DESC LIMIT $3`;
const NEWEST_OF = { namespace: newestOf("namespace"), source_agent: newestOf("source_agent") };
const MATCHING = `
  SELECT sequence, ${MEMORY_COLUMNS} FROM json_each($1) AS wanted JOIN memories ON sequence = wanted.value
  WHERE ($2 IS NULL OR source_agent = $2) AND ($3 IS NULL OR content LIKE $3 ESCAPE '\\')
  ORDER BY wanted.key LIMIT $4`;

export function memoryReads({ rows }: Connection): MemoryReads {
  return {
    newestOf: (column, wanted, before, count) =>
      Promise.all(
        wanted.map((value) => rows<{ sequence: number }>({ text: NEWEST_OF[column], values: [value, before, count] })),
      ),
    matching(sequences, { sourceAgent, contains }, limit) {
      const like = contains === undefined ? null : `%${contains.replaceAll(/[\\%_]/g, "\\$&")}%`;
      return { text: MATCHING, values: [JSON.stringify(sequences), sourceAgent, like, limit] };
    },
  };
}
