// Encrypted memories, the keys that wrap theirs, and the secrets that are kept of those.
import { leaseStatements } from "#adapters/records/shared/anchoring/leases.ts";
import { capturedEvent, eventStatements, forgottenEvent } from "#adapters/records/shared/logs/events.ts";
import type { Fence } from "#adapters/records/shared/policy/fence.ts";
import { questionStatements } from "#adapters/records/shared/receipts/questions.ts";
import * as sql from "#adapters/records/shared/sql.ts";
import { type Encryption, factHashOf } from "#core/memory.ts";
import type { EncryptionRecords, WrappedKey } from "#ports.ts";
import { readToForget, toForgotten } from "./memories.ts";
import { memoryStatements } from "./memory-statements.ts";

const SECRET_NAMES = "encryption-secret:";
const secretNameOf = (keyId: string): string => `${SECRET_NAMES}${keyId}`;

const keysIn = (table: string) =>
  `SELECT encryption_key_id AS "keyId" FROM ${table} WHERE tenant = $tenant AND encryption_key_id IS NOT NULL`;
const COUNTS = sql.entry<string, number>`
  SELECT "keyId", count(*) AS count FROM (${sql.inBoth(keysIn)}) AS encrypted GROUP BY "keyId" ORDER BY "keyId"`;

const nextPair = (after: string) =>
  `SELECT sequence FROM memories WHERE tenant = $tenant AND encryption_key_id IS NOT NULL AND (namespace, encryption_key_id) > ${after}
   ORDER BY namespace, encryption_key_id LIMIT 1`;
// Each step looks up the next pair in the index, so that the memories of a namespace are not all read.
const KEY_IDS = sql.value<string>`
  WITH RECURSIVE pair (namespace, key_id) AS (
    SELECT namespace, encryption_key_id FROM memories WHERE tenant = $tenant AND sequence = (${nextPair("('', '')")})
    UNION ALL
    SELECT m.namespace, m.encryption_key_id FROM pair JOIN memories AS m
    ON m.tenant = $tenant AND m.sequence = (${nextPair("(pair.namespace, pair.key_id)")}))
  SELECT key_id FROM pair
  UNION ${keysIn("superseded_memories")} ORDER BY 1`;

const wrapped = (table: string) => `
  SELECT * FROM (
    SELECT ${sql.columns("memoryId keyId=encryption_key_id wrappedKey factHash")} FROM ${table}
    WHERE tenant = $tenant AND memory_id > $2 AND encryption_key_id <> $1 ORDER BY memory_id LIMIT $3) AS wrapped_${table}`;
const toWrapped = ({ memoryId, ...encryption }: Pick<WrappedKey, "memoryId"> & Encryption) => ({
  memoryId,
  encryption,
});
const WRAPPED = sql.reading(toWrapped)`${sql.inBoth(wrapped)} ORDER BY "memoryId" LIMIT $3`;

const SECRETS = sql.entry<string, Uint8Array>`
  SELECT substr(name, ${SECRET_NAMES.length + 1}) AS "keyId", value FROM write_once WHERE tenant = $tenant AND substr(name, 1, ${SECRET_NAMES.length}) = '${SECRET_NAMES}'`;
const ADD_SECRET = sql.statement`INSERT INTO write_once (tenant, name, value) VALUES ($tenant, $1, $2) ON CONFLICT DO NOTHING`;
const REMOVE_SECRET = sql.statement`DELETE FROM write_once WHERE tenant = $tenant AND name = $1`;

export const unencryptedIn = (tenant: string) => `
  SELECT name FROM namespaces WHERE tenant = ${tenant} AND encrypted AND (
    memories > (
      SELECT count(*) FROM memories AS m WHERE m.tenant = ${tenant} AND m.namespace = name AND encryption_key_id IS NOT NULL)
    OR EXISTS (
      SELECT 1 FROM superseded_memories AS s WHERE s.tenant = ${tenant} AND s.namespace = name AND encryption_key_id IS NULL))`;
const UNENCRYPTED = sql.value<string>`${unencryptedIn("$tenant")} ORDER BY name`;
const OPEN_HISTORY = sql.value<string>`
  SELECT memory_id FROM superseded_memories
  WHERE tenant = $tenant AND namespace = $1 AND encryption_key_id IS NULL LIMIT $2`;

interface Options {
  readonly fence: Fence;
  readonly onForgotten: () => void;
}

const rewraps = ["memories", "superseded_memories"].map((table) =>
  sql.forRows(
    "memoryId keyId wrappedKey former",
    (given) => `
      UPDATE ${table} SET encryption_key_id = "keyId", wrapped_key = "wrappedKey" FROM ${given}
      WHERE tenant = $tenant AND memory_id = "memoryId" AND wrapped_key = former RETURNING memory_id`,
  ),
);
const OPEN_IN = sql.reading(sql.toMemory)`
  SELECT ${sql.MEMORY_COLUMNS} FROM memories WHERE tenant = $tenant AND namespace = $1 AND encryption_key_id IS NULL AND ${sql.IS_CURRENT}
  ORDER BY sequence LIMIT $2`;
const STILL_OPEN = sql.entry<string, sql.MemoryRow["pinned"]>`
  SELECT memory_id, pinned FROM memories
  WHERE tenant = $tenant AND ${sql.among("memory_id", "$1")} AND encryption_key_id IS NULL AND ${sql.IS_CURRENT}`;
const KNOWN = sql.entry<string, string>`
  SELECT fact_hash, memory_id FROM memories
  WHERE tenant = $tenant AND ${sql.among("fact_hash", "$1")} AND ${sql.IS_CURRENT}`;

export function encryptionRecords(database: sql.Database, { fence, onForgotten }: Options): EncryptionRecords {
  const { rows, write, readThenWrite } = database;

  return {
    counts: async () => new Map(await rows(COUNTS())),
    keyIds: () => rows(KEY_IDS()),
    wrappedByOthers: ({ keyId: own, after = "", limit }) => rows(WRAPPED(own, after, limit)),
    rewrap(changes) {
      const given = changes.map(({ memoryId, from, to }) => ({ ...to, memoryId, former: from.wrappedKey }));
      const reads = rewraps.flatMap((rewrap) => rewrap(given));
      return readThenWrite(reads, (results) => ({ statements: [], outcome: results.flat().length }));
    },
    secrets: async () => new Map(await rows(SECRETS())),
    addSecret: (keyId, value) => write(ADD_SECRET(secretNameOf(keyId), value)),
    removeSecret: (keyId) => write(REMOVE_SECRET(secretNameOf(keyId))),
    unencryptedNamespaces: () => rows(UNENCRYPTED()),
    openIn: (namespace, limit) => rows(OPEN_IN(namespace, limit)),
    async replace(replacements, stamp) {
      database.requireRoom();
      const { by, at } = stamp;
      const ids = replacements.map(({ memoryId }) => memoryId);
      await questionStatements.dropMost(database, ids);
      const hashes = replacements.map(({ encrypted }) => factHashOf(encrypted));
      const reads = [sql.LOCK_MEMORIES, readToForget(ids), STILL_OPEN(ids), KNOWN(hashes)] as const;
      const forgotten = await fence.removal(reads, ([, found, stillOpen, same]) => {
        const open = new Map(stillOpen);
        // The hash of an encrypted fact has its key in it.
        const known = new Map(same);
        const replaced = replacements.filter(({ memoryId }) => open.has(memoryId));
        const added = replaced.filter(({ encrypted }) => !known.has(factHashOf(encrypted)));
        const gone = found
          .filter(({ memoryId }) => open.has(memoryId))
          .map((memory) => ({ ...memory, cause: "encrypted" as const, by, at }));
        const pinned = replaced.filter(({ memoryId }) => open.get(memoryId));
        const byId = new Map(gone.map((memory) => [memory.memoryId, toForgotten(memory)]));
        const statements = [
          ...memoryStatements.forget(gone),
          // A ciphertext is longer than its text, and no quota refuses to encrypt.
          ...memoryStatements.add(added.map(({ encrypted }) => encrypted)),
          ...pinned.flatMap(({ encrypted }) =>
            memoryStatements.setPinned(known.get(factHashOf(encrypted)) ?? encrypted.memoryId, true, stamp),
          ),
          ...leaseStatements.putOfMemories(added.flatMap(({ lease }) => lease ?? [])),
          ...eventStatements.add([
            ...gone.map((memory) => forgottenEvent(toForgotten(memory).tombstone, memory.sourceAgent)),
            ...added.map(({ encrypted }) => capturedEvent(encrypted)),
          ]),
        ];
        const outcome = replaced.flatMap(({ memoryId }) => byId.get(memoryId) ?? []);
        return { statements: replaced.length === 0 ? [] : statements, outcome, isChange: replaced.length > 0 };
      });
      if (forgotten.length > 0) onForgotten();
      return forgotten;
    },
    openHistoryIn: (namespace, limit) => rows(OPEN_HISTORY(namespace, limit)),
  };
}
