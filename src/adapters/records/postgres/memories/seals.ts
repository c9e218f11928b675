import { IS_CURRENT } from "#adapters/records/postgres/connection/clock.ts";
import { lockMemoryCounter } from "#adapters/records/postgres/connection/counters.ts";
import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { addEvents } from "#adapters/records/postgres/logs/events.ts";
import type { FencedPolicy } from "#adapters/records/postgres/policy/policy.ts";
import { putLeasesOfMemories } from "#adapters/records/postgres/tables/leases.ts";
import { dropMostQuestions } from "#adapters/records/postgres/tables/questions.ts";
import { capturedEvent, forgottenEvent } from "#adapters/records/shared/logs/events.ts";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import { factHashOf, MEMORY_COLUMNS, type MemoryRow, toMemory } from "#adapters/records/shared/rows.ts";
import {
  SECRET_NAMES,
  secretNameOf,
  toSecrets,
  toWrappedKeys,
  type WrappedRow,
} from "#adapters/records/shared/seals.ts";
import type { Forgotten, RecordLimits, Replacement, Rewrapping, SealRecords, Stamp } from "#ports.ts";
import { addMemories } from "./memory-table.ts";
import { setPinned } from "./pins.ts";
import { forgetMemories, type MemoryToForget, readToForget } from "./removals.ts";

const COUNTS = `
  SELECT "keyId", count(*) AS n FROM (
    SELECT seal_key_id AS "keyId" FROM memories WHERE seal_key_id IS NOT NULL
    UNION ALL
    SELECT seal_key_id FROM superseded_memories WHERE seal_key_id IS NOT NULL
  ) AS sealed GROUP BY "keyId" ORDER BY "keyId"`;

const KEY_IDS = `
  SELECT seal_key_id AS "keyId" FROM memories WHERE seal_key_id IS NOT NULL
  UNION SELECT seal_key_id FROM superseded_memories WHERE seal_key_id IS NOT NULL ORDER BY 1`;

const wrapped = (table: string) => `
  (SELECT memory_id AS "memoryId", seal_key_id AS "keyId", wrapped_key AS "wrappedKey", fact_hash AS "factHash"
   FROM ${table} WHERE memory_id > $2 AND seal_key_id <> $1 ORDER BY memory_id LIMIT $3)`;
const WRAPPED = `${wrapped("memories")} UNION ALL ${wrapped("superseded_memories")} ORDER BY "memoryId" LIMIT $3`;

const rewrapIn = (table: string) => `
  UPDATE ${table} SET seal_key_id = "keyId", wrapped_key = "wrappedKey"
  FROM json_to_recordset($1::json) AS given ("memoryId" text, "keyId" text, "wrappedKey" text, former text)
  WHERE memory_id = "memoryId" AND wrapped_key = former RETURNING memory_id`;

function rewrap(changes: readonly Rewrapping[]): Statement[] {
  const rows = changes.map(({ memoryId, from, to: { keyId, wrappedKey } }) => ({
    memoryId,
    keyId,
    wrappedKey,
    former: from.wrappedKey,
  }));
  const values = [JSON.stringify(rows)];
  return ["memories", "superseded_memories"].map((table) => ({ text: rewrapIn(table), values }));
}

const SECRETS: Statement = { text: `SELECT name, value FROM kept WHERE name LIKE '${SECRET_NAMES}%'`, values: [] };
const ADD_SECRET = "INSERT INTO kept (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING";
const REMOVE_SECRET = "DELETE FROM kept WHERE name = $1";

const UNSEALED: Statement = {
  text: `
  SELECT name FROM namespaces WHERE sealed AND (
    memories > (SELECT count(*) FROM memories AS m WHERE m.namespace = name AND seal_key_id IS NOT NULL)
    OR EXISTS (SELECT FROM superseded_memories AS s WHERE s.namespace = name AND seal_key_id IS NULL))
  ORDER BY name`,
  values: [],
};
const OPEN_IN = `
  SELECT ${MEMORY_COLUMNS} FROM memories WHERE namespace = $1 AND seal_key_id IS NULL AND ${IS_CURRENT}
  ORDER BY sequence LIMIT $2`;
const OPEN_HISTORY = `
  SELECT memory_id AS "memoryId" FROM superseded_memories WHERE namespace = $1 AND seal_key_id IS NULL LIMIT $2`;

const STILL_OPEN = `
  SELECT memory_id AS "memoryId", pinned FROM memories
  WHERE memory_id = ANY ($1) AND seal_key_id IS NULL AND ${IS_CURRENT}`;
const KNOWN = `
  SELECT memory_id AS "memoryId", fact_hash AS "factHash" FROM memories WHERE fact_hash = ANY ($1) AND ${IS_CURRENT}`;

interface StillOpen {
  readonly memoryId: string;
  readonly pinned: boolean;
}

export function sealRecords(
  database: Database,
  limits: RecordLimits,
  { alone }: Pick<FencedPolicy, "alone">,
): SealRecords {
  function replacing(
    replacements: readonly Replacement[],
    stamp: Stamp,
    rows: { found: MemoryToForget[]; open: StillOpen[]; known: { memoryId: string; factHash: string }[] },
  ) {
    const open = new Map(rows.open.map((each) => [each.memoryId, each]));
    // The hash of a sealed fact has its key in it.
    const known = new Map(rows.known.map(({ memoryId, factHash }) => [factHash, memoryId]));
    const replaced = replacements.filter(({ memoryId }) => open.has(memoryId));
    const added = replaced.filter(({ sealed }) => !known.has(factHashOf(sealed)));
    const gone = rows.found.filter(({ memoryId }) => open.has(memoryId));
    const pins = replaced.flatMap(({ memoryId, sealed }) => {
      const pinned = known.get(factHashOf(sealed)) ?? sealed.memoryId;
      return open.get(memoryId)?.pinned ? [{ memoryId: pinned, pinned: true, limit: UNLIMITED }] : [];
    });
    const byId = new Map(gone.map((memory) => [memory.memoryId, toForgotten(memory, stamp)]));
    const outcome = replaced.flatMap(({ memoryId }) => byId.get(memoryId) ?? []);
    const statements = [
      ...forgetMemories(gone, { cause: "sealed" }, stamp),
      ...(added.length === 0
        ? []
        : addMemories(
            added.map(({ sealed }) => sealed),
            limits,
            "each",
          )),
      ...pins.map((pin) => setPinned(pin, stamp)),
      ...putLeasesOfMemories(added.flatMap(({ lease }) => lease ?? [])),
      ...addEvents([
        ...gone.map((memory) => forgottenEvent(toForgotten(memory, stamp).tombstone, memory.sourceAgent)),
        ...added.map(({ sealed }) => capturedEvent(sealed)),
      ]),
    ];
    return { statements: replaced.length === 0 ? [] : statements, outcome, isChange: replaced.length > 0 };
  }

  return {
    async counts() {
      const rows = await database.rows<{ keyId: string; n: number }>({ text: COUNTS, values: [] });
      return new Map(rows.map(({ keyId, n }) => [keyId, Number(n)]));
    },
    keyIds: async () =>
      (await database.rows<{ keyId: string }>({ text: KEY_IDS, values: [] })).map(({ keyId }) => keyId),
    wrappedByOthers: async ({ keyId, after = "", limit }) =>
      toWrappedKeys(await database.rows<WrappedRow>({ text: WRAPPED, values: [keyId, after, limit] })),
    async rewrap(changes) {
      const rows = await database.transaction(rewrap(changes));
      return rows.reduce((sum, each) => sum + each.length, 0);
    },
    secrets: async () => toSecrets(await database.rows<{ name: string; value: Uint8Array }>(SECRETS)),
    addSecret: (keyId, value) => database.write({ text: ADD_SECRET, values: [secretNameOf(keyId), value] }),
    removeSecret: (keyId) => database.write({ text: REMOVE_SECRET, values: [secretNameOf(keyId)] }),
    unsealedNamespaces: async () => (await database.rows<{ name: string }>(UNSEALED)).map(({ name }) => name),
    openIn: async (namespace, limit) =>
      (await database.rows<MemoryRow>({ text: OPEN_IN, values: [namespace, limit] })).map(toMemory),
    async replace(replacements, stamp) {
      const ids = replacements.map(({ memoryId }) => memoryId);
      await dropMostQuestions(database, ids);
      const hashes = replacements.map(({ sealed }) => factHashOf(sealed));
      const reads = [
        lockMemoryCounter,
        readToForget(ids),
        { text: STILL_OPEN, values: [ids] },
        { text: KNOWN, values: [hashes] },
      ];
      return alone(reads, (rows) => {
        const [found, open, known] = rows.slice(-3) as [
          MemoryToForget[],
          StillOpen[],
          { memoryId: string; factHash: string }[],
        ];
        return replacing(replacements, stamp, { found, open, known });
      });
    },
    async openHistoryIn(namespace, limit) {
      const rows = await database.rows<{ memoryId: string }>({ text: OPEN_HISTORY, values: [namespace, limit] });
      return rows.map(({ memoryId }) => memoryId);
    },
  };
}

function toForgotten(memory: MemoryToForget, { by, at }: Stamp): Forgotten {
  const { memoryId, namespace, storeRef, anchoredReceipts } = memory;
  return {
    tombstone: { memoryId, namespace, cause: "sealed", forgottenBy: by, forgottenAt: at },
    storeRef,
    anchoredReceipts: Number(anchoredReceipts),
  };
}
