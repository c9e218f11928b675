import { KEY_COLUMNS, type KeyRow, toKey, toKeyPage, toStoredKey } from "#adapters/records/shared/identity/key-rows.ts";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { KeyRecords } from "#ports.ts";

export function keyRecords({ database, read, write, writeFromReserve }: Connection): KeyRecords {
  const insert = database.prepare(
    `INSERT INTO api_keys (key_id, name, role, captures, created_at, created_by, expires_at, key_hash)
     VALUES (:keyId, :name, :role, :captures, :createdAt, :createdBy, :expiresAt, :keyHash)`,
  );
  const find = database.prepare(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE key_id = ?`);
  const page = database.prepare(`SELECT ${KEY_COLUMNS} FROM api_keys WHERE number < ? ORDER BY number DESC LIMIT ?`);
  const rotate = database.prepare(
    `UPDATE api_keys SET previous_hash = iif(:endsAt IS NULL, NULL, key_hash), previous_ends_at = :endsAt,
       key_hash = :keyHash
     WHERE key_id = :keyId AND revoked_at IS NULL RETURNING ${KEY_COLUMNS}`,
  );
  const revoke = database.prepare(
    `UPDATE api_keys SET revoked_at = coalesce(revoked_at, ?) WHERE key_id = ? RETURNING ${KEY_COLUMNS}`,
  );
  const use = database.prepare(
    `UPDATE api_keys SET last_used_at = ?
     WHERE key_id = ? AND (last_used_at IS NULL OR last_used_at <= ?)`,
  );
  const anyAdmin = database.prepare("SELECT 1 FROM api_keys WHERE role = 'admin' LIMIT 1");
  const ended = database.prepare(
    `SELECT key AS place FROM json_each(:credentials) AS used
     WHERE NOT EXISTS (
         SELECT 1 FROM api_keys WHERE key_id = value ->> 'keyId' AND revoked_at IS NULL
           AND (expires_at IS NULL OR expires_at > :now)
           AND (key_hash = value ->> 'keyHash'
             OR previous_hash = value ->> 'keyHash' AND previous_ends_at > :now))
       OR value ->> 'sessionHash' IS NOT NULL AND NOT EXISTS (
         SELECT 1 FROM sessions WHERE session_hash = value ->> 'sessionHash' AND ends_at > :now)`,
  );
  const keyOrUndefined = (row: unknown) => (row === undefined ? undefined : toKey(row as KeyRow));

  return {
    add: ({ keyId, name, role, captures, createdAt, createdBy, expiresAt = null }, keyHash) =>
      write(() => {
        const given = { keyId, name, role, createdAt, createdBy, expiresAt, keyHash };
        insert.run({ ...given, captures: JSON.stringify(captures) });
      }),
    find: (keyId) =>
      read(() => {
        const row = find.get(keyId) as unknown as KeyRow | undefined;
        return row && toStoredKey(row);
      }),
    page: ({ before = UNLIMITED, limit }) =>
      read(() => toKeyPage(page.all(before, limit + 1) as unknown as KeyRow[], limit)),
    rotate: (keyId, keyHash, endsAt) =>
      write(() => keyOrUndefined(rotate.get({ keyId, keyHash, endsAt: endsAt ?? null }))),
    revoke: (keyId, at) => writeFromReserve(() => keyOrUndefined(revoke.get(at, keyId))),
    used: (keyId, at, unlessAfter) => write(() => void use.run(at, keyId, unlessAfter)),
    hasAdmin: () => read(() => anyAdmin.get() !== undefined),
    endedAmong: (credentials, now) =>
      read(() => ended.all({ credentials: JSON.stringify(credentials), now }).map(({ place }) => Number(place))),
  };
}
