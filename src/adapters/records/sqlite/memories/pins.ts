import type { DatabaseSync } from "node:sqlite";
import { MEMORY_COLUMNS, type SequencedMemory, toMemory } from "#adapters/records/shared/rows.ts";
import type { CounterTable } from "#adapters/records/sqlite/connection/counters.ts";
import type { NamespaceTable } from "#adapters/records/sqlite/tables/namespaces.ts";
import type { Pin, PinOutcome, Stamp } from "#ports.ts";

/** Pinned memories and their log. `set` must run inside a transaction. */
export function pinTable(database: DatabaseSync, counters: CounterTable, namespaces: NamespaceTable) {
  const byId = database.prepare(`SELECT sequence, ${MEMORY_COLUMNS} FROM memories WHERE memory_id = ?`);
  const countPinned = database.prepare("SELECT count(*) AS count FROM memories WHERE namespace = ? AND pinned = 1");
  const mark = database.prepare("UPDATE memories SET pinned = :pinned WHERE sequence = :captured");
  const log = database.prepare(
    `INSERT INTO pin_changes (sequence, captured, namespace, pinned, changed_by, changed_at)
     VALUES (:sequence, :captured, :namespace, :pinned, :by, :at)`,
  );
  const find = (memoryId: string) => byId.get(memoryId) as SequencedMemory | undefined;

  return {
    set({ memoryId, pinned, limit }: Pin, { by, at }: Stamp, now = at): PinOutcome {
      const row = find(memoryId);
      if (row === undefined || (row.expiresAt !== null && row.expiresAt <= now)) return { kind: "not-found" };
      const { sequence: captured, namespace } = row;
      if (Boolean(row.pinned) === pinned) return { kind: "set", memory: toMemory(row) };
      if (pinned && Number(countPinned.get(namespace)?.count) >= limit) return { kind: "full" };
      mark.run({ captured, pinned: Number(pinned) });
      const sequence = counters.advance("memory");
      log.run({ sequence, captured, namespace, pinned: Number(pinned), by, at });
      namespaces.changed(namespace, sequence);
      return { kind: "set", memory: toMemory({ ...row, pinned }) };
    },
  };
}
