// Loses the database sessions that hold the lock of the fence, and takes out what makes a revoke wait for them.
import { Client } from "pg";
import { fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";

const [CLASS, LOCK] = fenceLock(1).split(", ");

/** Ends the sessions under whose lock actions run. Answers with how many there were. */
export async function endSessionsOfActions(database: string): Promise<number> {
  const rows = await run(
    database,
    `SELECT pg_terminate_backend(pid) FROM pg_locks
     WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' AND classid = ${CLASS} AND objid = ${LOCK}
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.length;
}

/** No session stays on record, so that none is found lost. */
export async function forgetSessions(database: string): Promise<void> {
  await run(
    database,
    `CREATE FUNCTION portcullis.forget_session() RETURNS trigger LANGUAGE plpgsql AS $$
     BEGIN DELETE FROM portcullis.fence_sessions WHERE id = NEW.id; RETURN NULL; END $$;
     CREATE TRIGGER forget_session AFTER INSERT ON portcullis.fence_sessions
     FOR EACH ROW EXECUTE FUNCTION portcullis.forget_session();
     DELETE FROM portcullis.fence_sessions`,
  );
}

async function run(database: string, statements: string): Promise<unknown[]> {
  const client = new Client({ connectionString: database });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statements)).rows;
  } finally {
    await client.end().catch(() => undefined);
  }
}
