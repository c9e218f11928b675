import type { DatabaseSync } from "node:sqlite";
import { MEMORY_COLUMNS } from "#adapters/records/shared/memory-columns.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { MemoryCounts } from "#ports.ts";
import type { Counters } from "./connection/counters.ts";

/** The statements on memories. Those that write must run inside a transaction. */
export function memoryTable(database: DatabaseSync, counters: Counters) {
  const bySequence = database.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM json_each(?) AS wanted JOIN memories ON sequence = wanted.value ORDER BY wanted.key`,
  );
  const byId = database.prepare(`SELECT ${MEMORY_COLUMNS} FROM memories WHERE memory_id = ?`);
  const countBy = (column: "namespace" | "source_agent") =>
    database.prepare(`SELECT ${column} AS name, count(*) AS count FROM memories GROUP BY ${column} ORDER BY ${column}`);
  const [byNamespace, bySourceAgent] = [countBy("namespace"), countBy("source_agent")];
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
  /** Counting takes a look at every memory, and needs none while nothing changes. */
  let counted: { readonly position: number; readonly counts: MemoryCounts } | undefined;

  return {
    at(sequences: readonly number[]): Memory[] {
      return bySequence.all(JSON.stringify(sequences)) as unknown as Memory[];
    },

    find: (memoryId: string) => byId.get(memoryId) as Memory | undefined,

    counts(): MemoryCounts {
      const position = counters.value("memory");
      if (counted?.position !== position) {
        const counts = { byNamespace: toCounts(byNamespace.all()), bySourceAgent: toCounts(bySourceAgent.all()) };
        counted = { position, counts };
      }
      return counted.counts;
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

function toCounts(rows: readonly Record<string, unknown>[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ name, count }) => [String(name), Number(count)]));
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
