// Taking records away, and recording those of another database.

import { namesOfRule } from "#adapters/records/shared/memories/names.ts";
import { type RemovalRow, toTombstonePage } from "#adapters/records/shared/transfer.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { Tables } from "#adapters/records/sqlite/tables/tables.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { TransferRecords } from "#ports.ts";
import { restoredDecisions } from "./restored-decisions.ts";
import { restoredMemories } from "./restored-memories.ts";
import { restoredReceipts } from "./restored-receipts.ts";

export function transferRecords(
  { database, read, write }: Connection,
  tables: Tables,
  exclusively: <T>(change: () => Promise<T>) => Promise<T>,
): TransferRecords {
  const removals = database.prepare(
    `SELECT sequence, memory_id AS memoryId, namespace, source_agent AS sourceAgent, cause, reason,
       removed_by AS forgottenBy, removed_at AS forgottenAt
     FROM forgotten WHERE sequence > ? ORDER BY sequence LIMIT ?`,
  );
  const supersedings = database.prepare(
    `SELECT memory_id AS memoryId, removed_by AS "by", removed_at AS "at" FROM forgotten
     WHERE memory_id IN (SELECT value FROM json_each(?)) AND cause = 'superseded'`,
  );
  const insertKey = database.prepare(
    `INSERT INTO signing_keys (key_id, public_key, created_at, ended_at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const memories = restoredMemories(database, tables);
  const receipts = restoredReceipts(database);
  const decisions = restoredDecisions(database);
  const { lists, names, policy, counters, events, decisions: log } = tables;

  return {
    tombstones: (query) =>
      read(() => {
        const rows = removals.all(query.after ?? 0, query.limit + 1) as unknown as RemovalRow[];
        return toTombstonePage(rows, query);
      }),
    supersededAt: (memoryIds) =>
      read(() => {
        const rows = supersedings.all(JSON.stringify(memoryIds));
        return new Map(rows.map(({ memoryId, by, at }) => [String(memoryId), { by: String(by), at: String(at) }]));
      }),
    knownMemories: (memoryIds) => read(() => memories.known(memoryIds)),

    restoreMemories: (restored, stamp) => write(() => memories.restore(restored, stamp)),
    restoreTombstones: (tombstones) => write(() => memories.restoreTombstones(tombstones)),
    restoreList: (list) => write(() => void lists.keep(list)),
    restoreReceipts: (restored) => write(() => receipts.restore(restored)),
    restoreDecisions: (restored) => write(() => decisions.restore(restored)),
    restoreKeys: (keys) =>
      write(() => {
        for (const { keyId, publicKey, createdAt, endedAt } of keys)
          insertKey.run(keyId, publicKey, createdAt, endedAt);
      }),
    replacePolicy: (rules, stamp) =>
      exclusively(() =>
        write(() => {
          const before = counters.value("policy");
          names.use(rules.flatMap(namesOfRule));
          policy.replace(policyFrom(rules), stamp);
          const isChanged = counters.value("policy") !== before;
          if (isChanged) events.add({ at: stamp.at, kind: "policy-changed" });
          log.add(stamp.decision);
          return isChanged;
        }),
      ),
  };
}
