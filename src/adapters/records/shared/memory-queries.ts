import type { Memory } from "#core/memory.ts";
import type { MemoryCounts } from "#ports.ts";
import type { Sql } from "./sql.ts";

/** The columns of a memory under the names of its fields. */
export const MEMORY_COLUMNS = `memory_id AS "memoryId", store_ref AS "storeRef", namespace, content,
  source_agent AS "sourceAgent", created_at AS "createdAt", content_digest AS "contentDigest"`;

const FIND = `SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = $1`;
// One statement, so that all counts are as of one moment.
const COUNT = `
  SELECT 'namespace' AS kind, namespace AS name, count(*) AS count FROM memories GROUP BY namespace
  UNION ALL
  SELECT 'source agent', source_agent, count(*) FROM memories GROUP BY source_agent
  ORDER BY kind, name`;

export function findMemory(sql: Sql, memoryId: string): Promise<Memory | undefined> {
  return sql.row<Memory>({ text: FIND, values: [memoryId] });
}

export async function countMemories(sql: Sql): Promise<MemoryCounts> {
  const rows = await sql.rows<{ kind: string; name: string; count: number }>({ text: COUNT });
  const countsOf = (kind: string) => new Map(rows.flatMap((row) => (row.kind === kind ? [[row.name, row.count]] : [])));
  return { byNamespace: countsOf("namespace"), bySourceAgent: countsOf("source agent") };
}
