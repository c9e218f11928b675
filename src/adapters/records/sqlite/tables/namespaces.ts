import type { DatabaseSync } from "node:sqlite";
import { type HeadRow, toHead } from "#adapters/records/shared/memories/change-feed.ts";
import { type CountRow, SOURCE_AGENTS_COUNTED, toCounts } from "#adapters/records/shared/rows.ts";
import type { Memory } from "#core/memory.ts";

/** What is counted of memories. Writes run inside the transaction of the change that they count. */
export type NamespaceTable = ReturnType<typeof namespaceTable>;

/** The heads of namespaces, and how many memories each namespace and each source agent has. */
export function namespaceTable(database: DatabaseSync) {
  const addMemory = database.prepare(
    `INSERT INTO namespaces (name, memories, head) VALUES (:namespace, 1, :sequence)
     ON CONFLICT DO UPDATE SET memories = memories + 1, head = excluded.head`,
  );
  const addToSource = database.prepare(
    `INSERT INTO source_agents (name, memories) VALUES (?, 1) ON CONFLICT DO UPDATE SET memories = memories + 1`,
  );
  // The index of tombstones by namespace gives the greatest sequence at once.
  const empty = database.prepare(
    `UPDATE namespaces SET memories = 0, head = (SELECT max(sequence) FROM forgotten WHERE namespace = name)
     WHERE memories > 0`,
  );
  const removeMemory = database.prepare(
    "UPDATE namespaces SET memories = memories - 1, head = :sequence WHERE name = :namespace",
  );
  const removeFromSource = database.prepare("UPDATE source_agents SET memories = memories - 1 WHERE name = ?");
  const dropEmptySource = database.prepare("DELETE FROM source_agents WHERE name = ? AND memories = 0");
  const moveHead = database.prepare("UPDATE namespaces SET head = :sequence WHERE name = :namespace");
  const emptySources = database.prepare("DELETE FROM source_agents");
  const changedAfter = database.prepare(
    "SELECT name AS namespace, memories, head, sealed FROM namespaces WHERE head > ? ORDER BY name",
  );
  const byNamespace = database.prepare(
    "SELECT name, memories AS count FROM namespaces WHERE memories > 0 ORDER BY name",
  );
  const total = database.prepare("SELECT total(memories) AS memories FROM namespaces");
  const bySource = database.prepare(
    `SELECT name, memories AS count FROM source_agents ORDER BY memories DESC, name LIMIT ${SOURCE_AGENTS_COUNTED}`,
  );
  const countSources = database.prepare("SELECT count(*) AS n FROM source_agents");
  const countRows = (statement: typeof bySource) => toCounts(statement.all() as unknown as CountRow[]);

  return {
    captured({ namespace, sourceAgent }: Pick<Memory, "namespace" | "sourceAgent">, sequence: number): void {
      addMemory.run({ namespace, sequence });
      addToSource.run(sourceAgent);
    },
    removed({ namespace, sourceAgent }: Pick<Memory, "namespace" | "sourceAgent">, sequence: number): void {
      removeMemory.run({ namespace, sequence });
      removeFromSource.run(sourceAgent);
      dropEmptySource.run(sourceAgent);
    },
    /** A memory of the namespace changed, and their number did not. */
    changed: (namespace: string, sequence: number) => void moveHead.run({ namespace, sequence }),
    /** Every memory was forgotten, and has its tombstone. */
    allForgotten(): void {
      empty.run();
      emptySources.run();
    },
    headsAfter: (position: number) => (changedAfter.all(position) as unknown as HeadRow[]).map(toHead),
    /** How many memories there are. */
    total: () => Number(total.get()?.memories),
    counts: () => ({
      byNamespace: countRows(byNamespace),
      bySourceAgent: countRows(bySource),
      sourceAgents: Number(countSources.get()?.n),
    }),
  };
}
