// Jobs that no two processes may do at a time. The lock belongs to a session, so it ends with the process whatever
// happens to it.
//
// If the connection is lost during a job, so is the lock, and another process may begin while this one still runs. It
// is there to keep two from working in vain, and not for safety: the ledger executes no transaction twice, and a place
// in the local ledger's log is taken once.
import { DatabaseError, type Pool, type PoolClient } from "pg";
import { createMutex } from "#async/mutex.ts";
import type { JobLocks } from "#ports.ts";
import { refused } from "./failures.ts";
import { LOCKS } from "./locks.ts";

const LOCK_TIMED_OUT = "55P03";

/** `pool` holds a connection for each name: a job may take long, and those that wait for it wait here. */
export function exclusively(pool: Pool): JobLocks["exclusively"] {
  const inTurn = createMutex();
  return (name, job) =>
    inTurn(name, async () => {
      const client = await pool.connect().catch(refused);
      try {
        await lock(client, LOCKS[name]).catch(refused);
        return await job();
      } finally {
        // A session that cannot say that it gave the lock back is ended, and the lock with it.
        client.release(!(await unlock(client, LOCKS[name])));
      }
    });
}

/** Waits as long as it takes, but asks again and again: a server that has gone silent must not be waited for. */
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

const unlock = (client: PoolClient, key: string): Promise<boolean> =>
  client.query(`SELECT pg_advisory_unlock(${key})`).then(
    () => true,
    () => false,
  );
