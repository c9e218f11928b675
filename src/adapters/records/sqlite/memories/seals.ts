import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import { MEMORY_COLUMNS, type MemoryRow, toMemory } from "#adapters/records/shared/rows.ts";
import {
  SECRET_NAMES,
  secretNameOf,
  toSecrets,
  toWrappedKeys,
  type WrappedRow,
} from "#adapters/records/shared/seals.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { Tables } from "#adapters/records/sqlite/tables/tables.ts";
import type { Forgotten, Replacement, Rewrapping, SealRecords, Stamp } from "#ports.ts";
import { dropMostQuestions } from "./drop-most-questions.ts";
import { IS_CURRENT } from "./memory-table.ts";

interface Options {
  /** Runs a change alone behind the fence. */
  exclusively<T>(change: () => Promise<T>): Promise<T>;
  readonly now: () => Date;
}

const nextPair = (after: string) =>
  `SELECT sequence FROM memories WHERE seal_key_id IS NOT NULL AND (namespace, seal_key_id) > ${after}
   ORDER BY namespace, seal_key_id LIMIT 1`;

export function sealRecords(
  { database, read, write, writeFromReserve, truncateLog }: Connection,
  { memories, removals, pins, leases, questions }: Tables,
  { exclusively, now: clock }: Options,
): SealRecords {
  const counts = database.prepare(
    `SELECT keyId, count(*) AS n FROM (
       SELECT seal_key_id AS keyId FROM memories WHERE seal_key_id IS NOT NULL
       UNION ALL
       SELECT seal_key_id FROM superseded_memories WHERE seal_key_id IS NOT NULL)
     GROUP BY keyId ORDER BY keyId`,
  );
  // Each step looks up the next pair in the index, so that the memories of a namespace are not all read.
  const keyIds = database.prepare(
    `WITH RECURSIVE pair (namespace, keyId) AS (
       SELECT namespace, seal_key_id FROM memories WHERE sequence = (${nextPair("('', '')")})
       UNION ALL
       SELECT m.namespace, m.seal_key_id FROM pair JOIN memories AS m
       ON m.sequence = (${nextPair("(pair.namespace, pair.keyId)")}))
     SELECT keyId FROM pair UNION SELECT seal_key_id FROM superseded_memories WHERE seal_key_id IS NOT NULL ORDER BY 1`,
  );
  const wrapped = (table: string) =>
    `SELECT * FROM (
       SELECT memory_id AS memoryId, seal_key_id AS keyId, wrapped_key AS wrappedKey, fact_hash AS factHash FROM ${table}
       WHERE memory_id > :after AND seal_key_id <> :keyId ORDER BY memory_id LIMIT :limit)`;
  const wrappedByOthers = database.prepare(
    `${wrapped("memories")} UNION ALL ${wrapped("superseded_memories")} ORDER BY memoryId LIMIT :limit`,
  );
  const rewraps = ["memories", "superseded_memories"].map((table) =>
    database.prepare(
      `UPDATE ${table} SET seal_key_id = :keyId, wrapped_key = :wrappedKey
       WHERE memory_id = :memoryId AND wrapped_key = :former`,
    ),
  );
  const secrets = database.prepare(`SELECT name, value FROM kept WHERE name GLOB '${SECRET_NAMES}*'`);
  const addSecret = database.prepare("INSERT INTO kept (name, value) VALUES (?, ?) ON CONFLICT DO NOTHING");
  const removeSecret = database.prepare("DELETE FROM kept WHERE name = ?");
  const unsealed = database.prepare(
    `SELECT name FROM namespaces WHERE sealed = 1 AND (
       memories > (SELECT count(*) FROM memories AS m WHERE m.namespace = name AND seal_key_id IS NOT NULL)
       OR EXISTS (SELECT 1 FROM superseded_memories AS s WHERE s.namespace = name AND seal_key_id IS NULL))
     ORDER BY name`,
  );
  const openIn = database.prepare(
    `SELECT ${MEMORY_COLUMNS} FROM memories WHERE namespace = :namespace AND seal_key_id IS NULL AND ${IS_CURRENT}
     ORDER BY sequence LIMIT :limit`,
  );
  const openHistory = database.prepare(
    `SELECT memory_id AS memoryId FROM superseded_memories WHERE namespace = ? AND seal_key_id IS NULL LIMIT ?`,
  );

  function rewrap({ memoryId, from, to }: Rewrapping): number {
    const values = { memoryId, keyId: to.keyId, wrappedKey: to.wrappedKey, former: from.wrappedKey };
    return rewraps.reduce((sum, update) => sum + Number(update.run(values).changes), 0);
  }

  /** In a transaction. */
  function replace({ memoryId, sealed, lease }: Replacement, stamp: Stamp): readonly Forgotten[] {
    const current = memories.findCurrent(memoryId, clock().toISOString());
    if (current === undefined || current.seal !== undefined) return [];
    const forgotten = removals.forget([memoryId], { cause: "sealed" }, stamp);
    const known = memories.findFact(sealed, clock().toISOString());
    if (known === undefined) memories.add(sealed);
    if (known === undefined && lease !== undefined) leases.put(lease);
    const memory = known ?? sealed;
    if (current.pinned) pins.set({ memoryId: memory.memoryId, pinned: true, limit: UNLIMITED }, stamp);
    return forgotten;
  }

  return {
    counts: () => read(() => new Map(counts.all().map(({ keyId, n }) => [String(keyId), Number(n)]))),
    keyIds: () => read(() => keyIds.all().map(({ keyId }) => String(keyId))),
    wrappedByOthers: ({ keyId, after = "", limit }) =>
      read(() => toWrappedKeys(wrappedByOthers.all({ keyId, after, limit }) as unknown as WrappedRow[])),
    rewrap: (changes) => write(() => changes.reduce((sum, change) => sum + rewrap(change), 0)),
    secrets: () => read(() => toSecrets(secrets.all() as unknown as { name: string; value: Uint8Array }[])),
    addSecret: (keyId, value) => write(() => void addSecret.run(secretNameOf(keyId), value)),
    removeSecret: (keyId) => write(() => void removeSecret.run(secretNameOf(keyId))),
    unsealedNamespaces: () => read(() => unsealed.all().map(({ name }) => String(name))),
    openIn: (namespace, limit) =>
      read(() => {
        const rows = openIn.all({ namespace, limit, now: clock().toISOString() });
        return (rows as unknown as MemoryRow[]).map(toMemory);
      }),
    async replace(replacements, stamp) {
      const memoryIds = replacements.map(({ memoryId }) => memoryId);
      await dropMostQuestions({ writeFromReserve }, { questions }, memoryIds);
      const forgotten = await exclusively(() =>
        write(() => replacements.flatMap((replacement) => replace(replacement, stamp))),
      );
      if (forgotten.length > 0) truncateLog();
      return forgotten;
    },
    openHistoryIn: (namespace, limit) =>
      read(() => openHistory.all(namespace, limit).map(({ memoryId }) => String(memoryId))),
  };
}
