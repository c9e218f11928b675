import type { Memory } from "#core/memory.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { Statement } from "./connection/database.ts";

export const MEMORY_COLUMNS = `memory_id AS "memoryId", store_ref AS "storeRef", namespace, content, source_agent AS "sourceAgent",
  created_at AS "createdAt", content_digest AS "contentDigest"`;

// The counter's row is locked until the commit, so whoever comes later gets later sequences and commits later: a
// reader that has seen a sequence has seen all before it.
const ADD = `
  WITH taken AS (UPDATE counters SET value = value + $1::bigint WHERE name = 'memory' RETURNING value - $1::bigint AS start)
  INSERT INTO memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest)
  SELECT start + place, id, ref, namespace, content, source, created, digest
  FROM taken, ROWS FROM (json_to_recordset($2::json) AS ("memoryId" text, "storeRef" text, namespace text, content text,
    "sourceAgent" text, "createdAt" text, "contentDigest" text))
    WITH ORDINALITY AS added (id, ref, namespace, content, source, created, digest, place)`;

/** Records memories in this order. Memories are all or none: one that cannot be recorded takes the others with it. */
export function addMemories(memories: readonly Memory[]): Statement {
  return { text: ADD, values: [memories.length, JSON.stringify(memories)] };
}

// Taken before the memories are looked at, in a statement of its own: nobody can add one any more, and the next
// statement sees all that were added.
const STOP_CAPTURES: Statement = { text: "SELECT FROM counters WHERE name = 'memory' FOR UPDATE", values: [] };
const FORGET_ALL: Statement = {
  text: `
    WITH gone AS (DELETE FROM memories RETURNING sequence, namespace),
    numbered AS (SELECT row_number() OVER (ORDER BY sequence) AS place, sequence, namespace FROM gone),
    before AS (SELECT value AS start FROM counters WHERE name = 'memory'),
    counted AS (UPDATE counters SET value = value + (SELECT count(*) FROM gone) WHERE name = 'memory')
    INSERT INTO forgotten (sequence, captured, namespace)
    SELECT start + place, sequence, namespace FROM before, numbered`,
  values: [],
};

export const forgetAllMemories: readonly Statement[] = [STOP_CAPTURES, FORGET_ALL];

const AT = `
  SELECT ${MEMORY_COLUMNS} FROM unnest($1::bigint[]) WITH ORDINALITY AS wanted (sequence, place)
  JOIN memories USING (sequence) ORDER BY place`;

export const memoriesAt = (sequences: readonly number[]): Statement => ({ text: AT, values: [sequences] });

export const findMemory = (memoryId: string): Statement => ({
  text: `SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = $1`,
  values: [memoryId],
});

const countBy = (column: "namespace" | "source_agent"): Statement => ({
  text: `SELECT ${column} AS name, count(*) AS count FROM memories GROUP BY 1 ORDER BY 1`,
  values: [],
});

export const countMemories: readonly Statement[] = [countBy("namespace"), countBy("source_agent")];

export interface CountRow {
  readonly name: string;
  readonly count: number;
}

export const toCounts = (rows: readonly CountRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ name, count }) => [name, count]));

export const CHANGES_A_READ = 5_000;

// Each half is bounded by itself, and by a number: so each is read from its index, as far as needed and no farther.
const CHANGES = `
  (SELECT sequence, namespace, content, NULL::bigint AS captured FROM memories
    WHERE sequence > $1 ORDER BY sequence LIMIT ${CHANGES_A_READ})
  UNION ALL
  (SELECT sequence, namespace, NULL, captured FROM forgotten
    WHERE sequence > $1 ORDER BY sequence LIMIT ${CHANGES_A_READ})
  ORDER BY sequence LIMIT ${CHANGES_A_READ}`;

/** The next changes, oldest first, up to CHANGES_A_READ. */
export const changesSince = (position: number): Statement => ({ text: CHANGES, values: [position] });

export interface ChangeRow {
  readonly sequence: number;
  readonly namespace: string;
  readonly content: string | null;
  readonly captured: number | null;
}

export function toChange({ sequence, namespace, content, captured }: ChangeRow): MemoryChange {
  return captured === null
    ? { kind: "captured", sequence, namespace, content: content ?? "" }
    : { kind: "forgotten", sequence, namespace, captured };
}
