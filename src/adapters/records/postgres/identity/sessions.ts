import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { SessionRecord, SessionRecords } from "#ports.ts";

const ADD = `
  INSERT INTO sessions (session_hash, key_id, key_hash, created_at, ends_at) VALUES ($1, $2, $3, $4, $5)`;
const REMOVE_ENDED = "DELETE FROM sessions WHERE ends_at <= $1";
const TRIM = `
  DELETE FROM sessions WHERE session_hash IN
    (SELECT session_hash FROM sessions WHERE key_id = $1 ORDER BY created_at DESC, session_hash OFFSET $2)`;
const FIND = `
  SELECT session_hash AS "sessionHash", key_id AS "keyId", key_hash AS "keyHash", created_at AS "createdAt",
    ends_at AS "endsAt"
  FROM sessions WHERE session_hash = $1`;
const REMOVE = "DELETE FROM sessions WHERE session_hash = $1";

export function sessionRecords(database: Database): SessionRecords {
  return {
    add: ({ sessionHash, keyId, keyHash, createdAt, endsAt }, { now, most }) =>
      database.write(
        { text: REMOVE_ENDED, values: [now] },
        // One less than the limit, so that the new one has room and is never itself the oldest.
        { text: TRIM, values: [keyId, most - 1] },
        { text: ADD, values: [sessionHash, keyId, keyHash, createdAt, endsAt] },
      ),
    find: (sessionHash) => database.row<SessionRecord>({ text: FIND, values: [sessionHash] }),
    remove: (sessionHash) => database.write({ text: REMOVE, values: [sessionHash] }),
  };
}
