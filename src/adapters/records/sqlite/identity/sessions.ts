import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { SessionRecord, SessionRecords } from "#ports.ts";

export function sessionRecords({ database, read, writeFromReserve: write }: Connection): SessionRecords {
  const insert = database.prepare(
    `INSERT INTO sessions (session_hash, key_id, key_hash, created_at, ends_at)
     VALUES (:sessionHash, :keyId, :keyHash, :createdAt, :endsAt)`,
  );
  const removeEnded = database.prepare("DELETE FROM sessions WHERE ends_at <= ?");
  const trim = database.prepare(
    `DELETE FROM sessions WHERE session_hash IN
       (SELECT session_hash FROM sessions WHERE key_id = ? ORDER BY created_at DESC, session_hash LIMIT -1 OFFSET ?)`,
  );
  const find = database.prepare(
    `SELECT session_hash AS sessionHash, key_id AS keyId, key_hash AS keyHash, created_at AS createdAt, ends_at AS endsAt
     FROM sessions WHERE session_hash = ?`,
  );
  const remove = database.prepare("DELETE FROM sessions WHERE session_hash = ?");
  return {
    add: ({ sessionHash, keyId, keyHash, createdAt, endsAt }, { now, most }) =>
      write(() => {
        removeEnded.run(now);
        // One less than the limit, so that the new one has room and is never itself the oldest.
        trim.run(keyId, most - 1);
        insert.run({ sessionHash, keyId, keyHash, createdAt, endsAt });
      }),
    find: (sessionHash) =>
      read(() => {
        const row = find.get(sessionHash) as unknown as SessionRecord | undefined;
        return row && { ...row };
      }),
    remove: (sessionHash) => write(() => void remove.run(sessionHash)),
  };
}
