import type { DatabaseSync } from "node:sqlite";
import type { OpenedRecord } from "#ports.ts";

/** Which answers were given which memory, and which agents memories of which namespace. Writes run inside a transaction. */
export function usesTable(database: DatabaseSync) {
  const insertUse = database.prepare(
    "INSERT INTO memory_uses (memory_id, answer_id) VALUES (?, ?) ON CONFLICT DO NOTHING",
  );
  const insertGate = database.prepare(
    "INSERT INTO used_gates (agent_id, namespace, first_used_at) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
  );
  return {
    add({ answerId, agentId, createdAt, memoryIds, usedNamespaces }: OpenedRecord): void {
      for (const memoryId of memoryIds) insertUse.run(memoryId, answerId);
      for (const namespace of usedNamespaces) insertGate.run(agentId, namespace, createdAt);
    },
  };
}
