import type { DatabaseSync } from "node:sqlite";
import type { MemoryChange } from "../../../core/index.ts";
import type { Memory } from "../../../core/memory.ts";
import type { MemoryPage } from "../../../ports.ts";
import type { Counters } from "./counters.ts";

const COLUMNS = `memory_id AS memoryId, store_ref AS storeRef, namespace, content, source_agent AS sourceAgent,
  created_at AS createdAt, content_digest AS contentDigest`;

/** The statements on memories. Those that write must run inside a transaction. */
export function memoryTable(database: DatabaseSync, counters: Counters) {
  const bySequence = database.prepare(
    `SELECT ${COLUMNS} FROM json_each(?) AS wanted JOIN memories ON sequence = wanted.value ORDER BY wanted.key`,
  );
  const page = database.prepare(
    `SELECT sequence, ${COLUMNS} FROM memories WHERE sequence < ? ORDER BY sequence DESC LIMIT ?`,
  );
  const insert = database.prepare(
    `INSERT INTO memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest)
     VALUES (:sequence, :memoryId, :storeRef, :namespace, :content, :sourceAgent, :createdAt, :contentDigest)`,
  );
  const markForgotten = database.prepare(
    `INSERT INTO forgotten (sequence, captured, namespace)
     SELECT :start + row_number() OVER (ORDER BY sequence), sequence, namespace FROM memories`,
  );
  const deleteAll = database.prepare("DELETE FROM memories");
  const changes = database.prepare(
    `SELECT sequence, namespace, content, NULL AS captured FROM memories WHERE sequence > :since
     UNION ALL
     SELECT sequence, namespace, NULL, captured FROM forgotten WHERE sequence > :since
     ORDER BY sequence LIMIT :limit`,
  );

  return {
    at(sequences: readonly number[]): Memory[] {
      return bySequence.all(JSON.stringify(sequences)) as unknown as Memory[];
    },

    list({ before = Number.MAX_SAFE_INTEGER, limit }: { before?: number; limit: number }): MemoryPage {
      const rows = page.all(before, limit + 1) as unknown as (Memory & { sequence: number })[];
      const memories = rows.slice(0, limit).map(({ sequence: _, ...memory }) => memory);
      const last = rows[limit - 1];
      return rows.length > limit && last !== undefined ? { memories, next: last.sequence } : { memories };
    },

    add(memory: Memory): void {
      const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest } = memory;
      const fields = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
      insert.run({ sequence: counters.next("memory"), ...fields });
    },

    forgetAll(): void {
      const { changes: count } = markForgotten.run({ start: counters.value("memory") });
      counters.advance("memory", Number(count));
      deleteAll.run();
    },

    changesSince(since: number, limit: number): MemoryChange[] {
      return (changes.all({ since, limit }) as unknown as ChangeRow[]).map(toChange);
    },
  };
}

interface ChangeRow {
  readonly sequence: number;
  readonly namespace: string;
  readonly content: string | null;
  readonly captured: number | null;
}

function toChange({ sequence, namespace, content, captured }: ChangeRow): MemoryChange {
  return captured === null
    ? { kind: "captured", sequence, namespace, content: content ?? "" }
    : { kind: "forgotten", sequence, namespace, captured };
}
