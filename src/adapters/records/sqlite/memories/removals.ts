// Removals of memories: superseded ones become history, forgotten ones leave a tombstone. Either way the change feed has
// a row, so that indices follow, and the counter that the fence looks at advances.
import type { DatabaseSync } from "node:sqlite";
import { forgottenEvent, supersededEvent } from "#adapters/records/shared/logs/events.ts";
import type { CounterTable } from "#adapters/records/sqlite/connection/counters.ts";
import type { TotalTable } from "#adapters/records/sqlite/connection/totals.ts";
import type { LeaseTable } from "#adapters/records/sqlite/leases.ts";
import type { EventTable } from "#adapters/records/sqlite/tables/event-table.ts";
import type { NamespaceTable } from "#adapters/records/sqlite/tables/namespaces.ts";
import type { QuestionTable } from "#adapters/records/sqlite/tables/questions.ts";
import type { ForgetCause, Tombstone } from "#core/tombstone.ts";
import type { Forgotten, Stamp } from "#ports.ts";

/** How many receipts that were issued here and anchored show the memory `?`. A sealed one does not. */
export const COUNT_ANCHORED = `(
  SELECT count(DISTINCT memory_uses.answer_id) FROM memory_uses JOIN anchors ON issued_answer = memory_uses.answer_id
  WHERE memory_uses.memory_id = ?
    AND EXISTS (SELECT 1 FROM json_each(body, '$.usedMemories') WHERE value ->> 'memoryId' = memory_uses.memory_id))`;

interface RemovedRow {
  readonly sequence: number;
  readonly memoryId: string;
  readonly namespace: string;
  readonly sourceAgent: string;
  readonly storeRef: string;
  readonly isCurrent: number;
}

interface Why {
  readonly cause: ForgetCause;
  readonly reason?: string | undefined;
}

type When = Pick<Stamp, "by" | "at">;

const REMOVED = `sequence, memory_id AS memoryId, namespace, source_agent AS sourceAgent, store_ref AS storeRef`;
const HISTORY = `sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest, fact_key,
  expires_at, supersedes, seal_key_id, wrapped_key, fact_hash`;

interface Parts {
  readonly database: DatabaseSync;
  readonly counters: CounterTable;
  readonly namespaces: NamespaceTable;
  readonly totals: TotalTable;
  readonly leases: LeaseTable;
  readonly events: EventTable;
  readonly questions: QuestionTable;
}

/** Must run inside a transaction. */
export function removalTable({ database, counters, namespaces, totals, leases, events, questions }: Parts) {
  const byIds = database.prepare(
    `SELECT ${REMOVED}, 1 AS isCurrent FROM memories WHERE memory_id IN (SELECT value FROM json_each(:ids))
     UNION ALL
     SELECT ${REMOVED}, 0 FROM superseded_memories WHERE memory_id IN (SELECT value FROM json_each(:ids))`,
  );
  const expired = database.prepare(
    `SELECT * FROM (SELECT ${REMOVED}, 1 AS isCurrent FROM memories WHERE expires_at <= :now LIMIT :limit)
     UNION ALL
     SELECT * FROM (SELECT ${REMOVED}, 0 FROM superseded_memories WHERE expires_at <= :now LIMIT :limit)
     LIMIT :limit`,
  );
  const record = database.prepare(
    `INSERT INTO forgotten (sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by, removed_at)
     VALUES (:sequence, :captured, :namespace, :memoryId, :sourceAgent, :cause, :reason, :by, :at)`,
  );
  const recordAgain = database.prepare(
    "UPDATE forgotten SET cause = :cause, reason = :reason, removed_by = :by, removed_at = :at WHERE memory_id = :memoryId AND cause = 'superseded'",
  );
  const keep = database.prepare(
    `INSERT INTO superseded_memories (${HISTORY}, superseded_by, superseded_at)
     SELECT ${HISTORY}, :supersededBy, :at FROM memories WHERE memory_id = :memoryId`,
  );
  const remove = database.prepare("DELETE FROM memories WHERE sequence = ?");
  const removeSuperseded = database.prepare("DELETE FROM superseded_memories WHERE sequence = ?");
  const isEmpty = database.prepare("SELECT NOT EXISTS (SELECT 1 FROM memories WHERE namespace = ?) AS isEmpty");
  const dropSnapshots = database.prepare("DELETE FROM index_snapshots WHERE namespace = ?");
  const countAnchored = database.prepare(`SELECT ${COUNT_ANCHORED} AS n`);
  const forgetAllCurrent = database.prepare(
    `INSERT INTO forgotten (sequence, captured, namespace, memory_id, source_agent, cause, removed_by, removed_at)
     SELECT :start + row_number() OVER (ORDER BY sequence), sequence, namespace, memory_id, source_agent, 'reset', :by, :at
     FROM memories`,
  );
  const forgetAllSuperseded = database.prepare(
    "UPDATE forgotten SET cause = 'reset', removed_by = :by, removed_at = :at WHERE cause = 'superseded'",
  );

  /** Takes a current memory out of its table, with a row of the change feed. */
  function leave(row: RemovedRow, fields: { cause: string; reason: string | null } & When): void {
    const { sequence: captured, memoryId, namespace, sourceAgent } = row;
    const sequence = counters.advance("memory");
    record.run({ sequence, captured, namespace, memoryId, sourceAgent, ...fields });
    remove.run(captured);
    namespaces.removed(row, sequence);
    if (isEmpty.get(namespace)?.isEmpty === 1) totals.add("namespaces", -1);
    // A snapshot of the index has its words.
    dropSnapshots.run(namespace);
  }

  function forgetRow(row: RemovedRow, { cause, reason }: Why, { by, at }: When): Forgotten {
    const { memoryId, namespace, storeRef } = row;
    const fields = { cause, reason: reason ?? null, by, at };
    const anchoredReceipts = Number(countAnchored.get(memoryId)?.n);
    if (row.isCurrent === 1) leave(row, fields);
    else {
      recordAgain.run({ memoryId, ...fields });
      removeSuperseded.run(row.sequence);
    }
    leases.dropIfStray(storeRef);
    // A question may quote the memory that answered it.
    questions.dropOfMemories([memoryId]);
    const said = reason === undefined ? { cause } : { cause, reason };
    const tombstone: Tombstone = { memoryId, namespace, ...said, forgottenBy: by, forgottenAt: at };
    events.add(forgottenEvent(tombstone, row.sourceAgent));
    return { tombstone, storeRef, anchoredReceipts };
  }

  const expiredRows = (limit: number, now: string) => expired.all({ now, limit }) as unknown as RemovedRow[];

  function forgetRows(rows: readonly RemovedRow[], why: Why, when: When): Forgotten[] {
    if (rows.length === 0) return [];
    counters.advance("removal");
    return rows.map((row) => forgetRow(row, why, when));
  }

  return {
    forget: (memoryIds: readonly string[], why: Why, when: When): Forgotten[] =>
      forgetRows(byIds.all({ ids: JSON.stringify(memoryIds) }) as unknown as RemovedRow[], why, when),

    /** The ids of those whose time is over. */
    expired: (limit: number, now: string): string[] => expiredRows(limit, now).map(({ memoryId }) => memoryId),

    /** Forgets those. */
    forgetExpired: (limit: number, when: When): number =>
      forgetRows(expiredRows(limit, when.at), { cause: "expired" }, when).length,

    /** Makes a current memory history. */
    supersede(memoryId: string, supersededBy: string, when: When): void {
      const [row] = byIds.all({ ids: JSON.stringify([memoryId]) }) as unknown as RemovedRow[];
      if (row?.isCurrent !== 1) return;
      counters.advance("removal");
      keep.run({ memoryId, supersededBy, at: when.at });
      leave(row, { cause: "superseded", reason: null, ...when });
      events.add(supersededEvent(row, supersededBy, when.at));
    },

    /** Every memory, superseded ones included. */
    forgetAll({ by, at }: When): void {
      const when = { by, at };
      const { changes } = forgetAllCurrent.run({ start: counters.value("memory"), ...when });
      counters.advance("memory", Number(changes));
      counters.advance("removal");
      forgetAllSuperseded.run(when);
      database.exec("DELETE FROM memories; DELETE FROM superseded_memories; DELETE FROM index_snapshots");
      questions.dropAll();
      totals.clear("namespaces");
      namespaces.allForgotten();
      leases.dropAllStray();
    },
  };
}
