// Mutexes across processes. The lock belongs to a session of PostgreSQL, so it ends with the process, or with the
// connection: then another may begin while the job still runs. They prevent wasted work and are not needed for safety:
// the ledger executes no transaction twice, and a sequence in the local ledger's log is taken once.
import { DatabaseError, type Pool, type PoolClient } from "pg";
import { throwUnavailable } from "#adapters/records/shared/database/unavailable.ts";
import { createMutex } from "#async/semaphore.ts";
import type { JobLocks } from "#ports.ts";
import { LOCKS } from "./connection/advisory-locks.ts";
import { type Database, repeatedly } from "./connection/database.ts";
import { isLost } from "./connection/failures.ts";

const { migration: _, ...OF_JOBS } = LOCKS;
/** Each may hold a connection for as long as its job takes. */
const JOBS = Object.keys(OF_JOBS).length;
const LOCK_TIMED_OUT = "55P03";

export function jobLocks(database: Database): JobLocks {
  const pool: Pool = database.pool(JOBS);
  // Jobs of this process wait here, so that each name uses one connection.
  const mutex = createMutex();
  return {
    exclusively: (name, job) =>
      mutex(name, async () => {
        const client = await repeatedly(() => connectLocked(pool, LOCKS[name]), isLost).catch(throwUnavailable);
        try {
          return await job();
        } finally {
          // A session that cannot confirm the release is ended, and the lock with it.
          const unlocked = client.query(`SELECT pg_advisory_unlock(${LOCKS[name]})`);
          await unlocked.then(
            () => client.release(),
            () => client.release(true),
          );
        }
      }),
  };
}

/** A session that has the lock. One that was ended while it waited has done nothing yet, and another can wait in its place. */
async function connectLocked(pool: Pool, key: string): Promise<PoolClient> {
  const client = await pool.connect();
  try {
    await lock(client, key);
    return client;
  } catch (error) {
    client.release(true);
    throw error;
  }
}

/** Waits as long as it takes, but in tries that time out, so that it does not wait for a server that has gone silent. */
async function lock(client: PoolClient, key: string): Promise<void> {
  for (;;) {
    try {
      await client.query(`SELECT pg_advisory_lock(${key})`);
      return;
    } catch (error) {
      if (!(error instanceof DatabaseError) || error.code !== LOCK_TIMED_OUT) throw error;
    }
  }
}
