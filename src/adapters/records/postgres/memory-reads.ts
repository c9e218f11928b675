import type { MemoryReads } from "#adapters/records/shared/memory-pages.ts";
import { MEMORY_COLUMNS } from "#adapters/records/shared/memory-queries.ts";
import type { Database } from "./connection/database.ts";

// Each value gives its newest memories. The condition is a range of the index on value and sequence, and not an
// equality: with an equality PostgreSQL may choose to walk through all memories from the newest on, which takes very
// long when the value is rare.
const newestOf = (column: "namespace" | "source_agent") => `
  SELECT wanted.value, newest.sequence FROM unnest($3::text[]) AS wanted (value), LATERAL (
    SELECT sequence FROM memories
    WHERE (${column}, sequence) < (wanted.value, $1) AND ${column} >= wanted.value
    ORDER BY ${column} DESC, sequence DESC LIMIT $2
  ) AS newest
  ORDER BY newest.sequence DESC`;
const NEWEST_OF = { namespace: newestOf("namespace"), source_agent: newestOf("source_agent") };
// The columns have the collation "C", in which `lower` changes ASCII letters and no others.
const MATCHING = `
  SELECT sequence, ${MEMORY_COLUMNS} FROM unnest($1::bigint[]) AS wanted (sequence) JOIN memories USING (sequence)
  WHERE ($2::text IS NULL OR source_agent = $2)
    AND ($3::text IS NULL OR strpos(lower(content), lower($3::text COLLATE "C")) > 0)
  ORDER BY sequence DESC LIMIT $4`;

export function memoryReads({ rows }: Database): MemoryReads {
  return {
    async newestOf(column, values, before, count) {
      const statement = { text: NEWEST_OF[column], values: [before, count, values] };
      const found = await rows<{ value: string; sequence: number }>(statement);
      return [...Map.groupBy(found, ({ value }) => value).values()];
    },
    matching: (sequences, { sourceAgent, contains }, limit) => ({
      text: MATCHING,
      values: [sequences, sourceAgent, contains, limit],
    }),
  };
}
