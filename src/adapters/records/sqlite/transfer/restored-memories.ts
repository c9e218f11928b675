import type { DatabaseSync } from "node:sqlite";
import { namesOfFact } from "#adapters/records/shared/memories/names.ts";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import { optionalColumns } from "#adapters/records/shared/rows.ts";
import { newestById } from "#adapters/records/shared/transfer.ts";
import type { Tables } from "#adapters/records/sqlite/tables/tables.ts";
import type { ExportedTombstone, RestoredMemory, Stamp } from "#ports.ts";

/**
 * Memories and tombstones of another database. Each takes sequence numbers as if it had been captured, and removed, here.
 * Writes must run inside a transaction.
 */
export function restoredMemories(database: DatabaseSync, tables: Tables) {
  const { counters, memories: table, pins, names, leases } = tables;
  const onRecord = database.prepare(
    `SELECT memory_id AS memoryId FROM memories WHERE memory_id IN (SELECT value FROM json_each(:ids))
     UNION ALL
     SELECT memory_id FROM superseded_memories WHERE memory_id IN (SELECT value FROM json_each(:ids))
     UNION ALL
     SELECT memory_id FROM forgotten WHERE memory_id IN (SELECT value FROM json_each(:ids))`,
  );
  const keep = database.prepare(
    `INSERT INTO superseded_memories (sequence, memory_id, store_ref, namespace, content, source_agent, created_at,
       content_digest, fact_key, expires_at, supersedes, seal_key_id, wrapped_key, fact_hash, superseded_by, superseded_at)
     VALUES (:sequence, :memoryId, :storeRef, :namespace, :content, :sourceAgent, :createdAt, :contentDigest, :key,
       :expiresAt, :supersedes, :sealKeyId, :wrappedKey, :factHash, :supersededBy, :supersededAt)`,
  );
  const remove = database.prepare(
    `INSERT INTO forgotten (sequence, captured, namespace, memory_id, source_agent, cause, reason, removed_by, removed_at)
     VALUES (:sequence, :captured, :namespace, :memoryId, :sourceAgent, :cause, :reason, :by, :at)`,
  );
  const moveHead = database.prepare(
    `INSERT INTO namespaces (name, memories, head) VALUES (:namespace, 0, :sequence)
     ON CONFLICT DO UPDATE SET head = excluded.head`,
  );

  interface Removal {
    readonly memoryId: string;
    readonly namespace: string;
    readonly sourceAgent: string;
    readonly cause: string;
    readonly reason: string | null;
    readonly by: string;
    readonly at: string;
  }

  /** The row of the change feed of a memory that was never current here. */
  function recordRemoval(captured: number, removal: Removal): void {
    const sequence = counters.advance("memory");
    remove.run({ sequence, captured, ...removal });
    moveHead.run({ namespace: removal.namespace, sequence });
  }

  function known(memoryIds: readonly string[]): Set<string> {
    const rows = onRecord.all({ ids: JSON.stringify(memoryIds) });
    return new Set(rows.map(({ memoryId }) => String(memoryId)));
  }

  function restoreHistory({ memory, superseding }: RestoredMemory, stamp: Stamp): void {
    const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest } = memory;
    const { by, at } = superseding ?? stamp;
    const fields = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
    const sequence = counters.advance("memory");
    const history = { supersededBy: memory.supersededBy ?? "", supersededAt: at };
    keep.run({ sequence, ...fields, ...optionalColumns(memory), ...history });
    recordRemoval(sequence, { memoryId, namespace, sourceAgent, cause: "superseded", reason: null, by, at });
  }

  /** Whether it was recorded. */
  function restoreOne(restored: RestoredMemory, stamp: Stamp): boolean {
    const { memory, lease } = restored;
    const { namespace, sourceAgent, key, memoryId, pinned } = memory;
    const isHistory = memory.supersededBy !== undefined;
    if (!isHistory && key !== undefined && table.findByKey({ namespace, sourceAgent, key }) !== undefined) return false;
    names.use(namesOfFact(memory));
    if (isHistory) restoreHistory(restored, stamp);
    else {
      table.add(memory, stamp.at);
      if (pinned) pins.set({ memoryId, pinned, limit: UNLIMITED }, stamp);
    }
    if (lease !== undefined) leases.put(lease);
    return true;
  }

  return {
    known,

    restore(restored: readonly RestoredMemory[], stamp: Stamp): number {
      const before = known(restored.map(({ memory }) => memory.memoryId));
      const missing = restored.filter(({ memory }) => !before.has(memory.memoryId));
      return missing.filter((each) => restoreOne(each, stamp)).length;
    },

    restoreTombstones(tombstones: readonly ExportedTombstone[]): number {
      const before = known(tombstones.map(({ memoryId }) => memoryId));
      const missing = newestById(tombstones).filter(({ memoryId }) => !before.has(memoryId));
      for (const { memoryId, namespace, sourceAgent, cause, reason = null, forgottenBy, forgottenAt } of missing) {
        const said = { cause, reason, by: forgottenBy, at: forgottenAt };
        recordRemoval(counters.advance("memory"), { memoryId, namespace, sourceAgent, ...said });
      }
      return missing.length;
    },
  };
}
