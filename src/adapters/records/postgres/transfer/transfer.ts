// Taking records away, and recording those of another database.
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { NameLists } from "#adapters/records/postgres/logs/name-lists.ts";
import { takeNames, takingNames } from "#adapters/records/postgres/names.ts";
import type { FencedPolicy } from "#adapters/records/postgres/policy/policy.ts";
import { changedLeaves } from "#adapters/records/postgres/policy/statements.ts";
import { namesOfRule } from "#adapters/records/shared/memories/names.ts";
import { type RemovalRow, toTombstonePage } from "#adapters/records/shared/transfer.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { RecordLimits, Superseding, TransferRecords } from "#ports.ts";
import { restoreDecisions, restoreReceipts } from "./restored-logs.ts";
import { knownMemories, restoreMemories, restoreTombstones } from "./restored-memories.ts";

const REMOVALS = `
  SELECT sequence, memory_id AS "memoryId", namespace, source_agent AS "sourceAgent", cause, reason,
    removed_by AS "forgottenBy", removed_at AS "forgottenAt"
  FROM forgotten WHERE sequence > $1 ORDER BY sequence LIMIT $2`;
const SUPERSEDINGS = `
  SELECT memory_id AS "memoryId", removed_by AS "by", removed_at AS "at" FROM forgotten
  WHERE memory_id = ANY ($1) AND cause = 'superseded'`;
const ADD_KEYS = `
  INSERT INTO signing_keys (key_id, public_key, created_at, ended_at)
  SELECT "keyId", decode("publicKey", 'hex'), "createdAt", "endedAt"
  FROM json_to_recordset($1::json) AS given ("keyId" text, "publicKey" text, "createdAt" text, "endedAt" text)
  ON CONFLICT (key_id) DO NOTHING`;

export function transferRecords(
  database: Database,
  limits: RecordLimits,
  lists: NameLists,
  policy: FencedPolicy,
): TransferRecords {
  return {
    async tombstones(query) {
      const values = [query.after ?? 0, query.limit + 1];
      return toTombstonePage(await database.rows<RemovalRow>({ text: REMOVALS, values }), query);
    },
    async supersededAt(memoryIds) {
      const rows = await database.rows<Superseding & { memoryId: string }>({ text: SUPERSEDINGS, values: [memoryIds] });
      return new Map(rows.map(({ memoryId, by, at }) => [memoryId, { by, at }]));
    },
    knownMemories: (memoryIds) => knownMemories(database, memoryIds),

    restoreMemories: (memories, stamp) => restoreMemories(database, limits, memories, stamp),
    restoreTombstones: (tombstones) => restoreTombstones(database, tombstones),
    restoreList: (list) => lists.keep([list]),
    restoreReceipts: (receipts) => restoreReceipts(database, receipts),
    restoreDecisions: (decisions) => restoreDecisions(database, decisions),
    async restoreKeys(keys) {
      const rows = keys.map(({ publicKey, ...key }) => ({ ...key, publicKey: Buffer.from(publicKey).toString("hex") }));
      await database.write({ text: ADD_KEYS, values: [JSON.stringify(rows)] });
    },
    async replacePolicy(rules, stamp) {
      const names = rules.flatMap(namesOfRule);
      let isChanged = false;
      const wanted = {
        changed: changedLeaves(policyFrom(rules)),
        after: takeNames(names),
        events: (changes: readonly object[]) => {
          isChanged = changes.length > 0;
          return isChanged ? [{ at: stamp.at, kind: "policy-changed" as const }] : [];
        },
      };
      await takingNames(database, names, () => policy.change(wanted, stamp));
      return isChanged;
    },
  };
}
