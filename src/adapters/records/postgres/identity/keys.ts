import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { KEY_COLUMNS, type KeyRow, toKey, toKeyPage, toStoredKey } from "#adapters/records/shared/identity/key-rows.ts";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import { batchLookups } from "#async/batch-lookups.ts";
import type { KeyRecord, KeyRecords, StoredKey } from "#ports.ts";

/** Every request looks its key up, so those of concurrent requests share a statement. */
const MAX_LOOKUPS = 500;

const ADD = `
  INSERT INTO api_keys (key_id, name, role, captures, created_at, created_by, expires_at, key_hash)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;
const FIND = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE key_id = ANY ($1::text[])`;
const PAGE = `SELECT ${KEY_COLUMNS} FROM api_keys WHERE number < $1 ORDER BY number DESC LIMIT $2`;
const ROTATE = `
  UPDATE api_keys SET previous_hash = CASE WHEN $3::text IS NULL THEN NULL ELSE key_hash END, previous_ends_at = $3,
    key_hash = $2
  WHERE key_id = $1 AND revoked_at IS NULL RETURNING ${KEY_COLUMNS}`;
const REVOKE = `
  UPDATE api_keys SET revoked_at = coalesce(revoked_at, $2) WHERE key_id = $1 RETURNING ${KEY_COLUMNS}`;
const USE = `
  UPDATE api_keys SET last_used_at = $2 WHERE key_id = $1 AND (last_used_at IS NULL OR last_used_at <= $3)`;
const ANY_ADMIN: Statement = { text: "SELECT FROM api_keys WHERE role = 'admin' LIMIT 1", values: [] };
const ENDED = `
  SELECT place - 1 AS place
  FROM unnest($1::text[], $2::text[], $3::text[]) WITH ORDINALITY AS used (id, hash, session, place)
  WHERE NOT EXISTS (
      SELECT FROM api_keys WHERE key_id = used.id AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > $4)
        AND (key_hash = used.hash OR previous_hash = used.hash AND previous_ends_at > $4))
    OR session IS NOT NULL AND NOT EXISTS (
      SELECT FROM sessions WHERE session_hash = used.session AND ends_at > $4)`;

export function keyRecords(database: Database): KeyRecords {
  const find = batchLookups<string, StoredKey>(MAX_LOOKUPS, async (keyIds) => {
    const rows = await database.rows<KeyRow>({ text: FIND, values: [keyIds] });
    return new Map(rows.map((row) => [row.keyId, toStoredKey(row)]));
  });

  async function change(statement: Statement): Promise<KeyRecord | undefined> {
    const row = await database.row<KeyRow>(statement);
    return row && toKey(row);
  }

  return {
    add({ keyId, name, role, captures, createdAt, createdBy, expiresAt = null }, keyHash) {
      const values = [keyId, name, role, JSON.stringify(captures), createdAt, createdBy, expiresAt, keyHash];
      return database.write({ text: ADD, values });
    },
    find,
    page: async ({ before = UNLIMITED, limit }) =>
      toKeyPage(await database.rows<KeyRow>({ text: PAGE, values: [before, limit + 1] }), limit),
    rotate: (keyId, keyHash, endsAt) => change({ text: ROTATE, values: [keyId, keyHash, endsAt ?? null] }),
    revoke: (keyId, at) => change({ text: REVOKE, values: [keyId, at] }),
    used: (keyId, at, unlessAfter) => database.write({ text: USE, values: [keyId, at, unlessAfter] }),
    hasAdmin: async () => (await database.row(ANY_ADMIN)) !== undefined,
    async endedAmong(credentials, now) {
      const columns = [
        credentials.map(({ keyId }) => keyId),
        credentials.map(({ keyHash }) => keyHash),
        credentials.map(({ sessionHash }) => sessionHash ?? null),
      ];
      const rows = await database.rows<{ place: number }>({ text: ENDED, values: [...columns, now] });
      return rows.map(({ place }) => place);
    },
  };
}
