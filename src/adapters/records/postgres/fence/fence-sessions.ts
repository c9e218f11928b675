// The sessions that hold the fence's lock, each on record. When PostgreSQL ends a session, it frees the session's lock,
// but an action under it may still run: our process learns of the loss a moment later. So the next change of the policy
// must be able to tell that a session was lost, and wait for its actions.
//
// Every session has a row, and an advisory lock of its own: shared as long as the session lives, and exclusive as well
// while a batch runs (`busy`). A session that dies loses both in one step, because it is one lock. The lock of the fence
// goes in another step, a moment earlier. So, whoever holds the fence's lock alone finds a session lost if it has no
// lock any more, or is still busy. The process that lost it deletes its row when its actions have ended.
import { setTimeout as delay } from "node:timers/promises";
import type { ClientBase } from "pg";
import { FENCE_SESSIONS, fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Database } from "#adapters/records/postgres/connection/database.ts";
import type { Timeouts } from "#adapters/records/postgres/connection/settings.ts";
import { COUNTERS, LAST_CHAIN_HASH } from "#adapters/records/shared/policy/policy-statements.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { POSTGRES_NOW } from "#adapters/records/shared/sql/dialect.ts";

export type FenceSessions = ReturnType<typeof fenceSessions>;

/** How many batches of all tenants may hold a lock at a time, each on a connection of its own. */
export const MAX_BATCHES = 4;
export const FENCE_TIMEOUTS: Partial<Timeouts> = { idleMs: 5_000 };
const RETRY_MS = 200;

const REGISTER = `
  WITH registered AS (INSERT INTO fence_sessions DEFAULT VALUES RETURNING id)
  SELECT id, pg_advisory_lock_shared(${FENCE_SESSIONS}, id) FROM registered`;

const STATE = `SELECT ${COUNTERS}, ${LAST_CHAIN_HASH} AS "chainHash", ${POSTGRES_NOW} AS now`;

const FORGET = "DELETE FROM fence_sessions WHERE id = ANY ($1::int[])";

export function fenceSessions(database: Database, timeouts: Partial<Timeouts> = FENCE_TIMEOUTS) {
  const ids = new WeakMap<ClientBase, number>();
  const registered = new Set<number>();
  const ended = new Set<number>();
  let forgetting: Promise<void> | undefined;
  let isClosed = false;

  const pool = database.pool(MAX_BATCHES, timeouts, async (client) => {
    const { rows } = await client.query<{ id: number }>(REGISTER);
    const { id } = rows[0] as { id: number };
    ids.set(client, id);
    registered.add(id);
  });
  // A session is released with an error when it was lost, and its actions have ended by then.
  pool.on("release", (error, client) => void (error && end(client)));
  pool.on("remove", end);

  function end(client: ClientBase): void {
    const id = ids.get(client);
    if (id === undefined || !registered.has(id)) return;
    ended.add(id);
    forgetting ??= forgetEnded();
  }

  /** Until it is done: a session that stays on record holds up the next change of the policy. */
  async function forgetEnded(): Promise<void> {
    while (ended.size > 0) {
      const gone = [...ended];
      try {
        await database.write({ text: FORGET, values: [gone] });
        for (const id of gone) for (const set of [ended, registered]) set.delete(id);
      } catch {
        if (isClosed) break;
        await delay(RETRY_MS, undefined, { ref: false });
      }
    }
    forgetting = undefined;
  }

  return {
    pool,
    /** Statements that begin a batch. The row of the last one is `FenceState`, as of when the lock is held. */
    // Each statement sees what was committed before it began. So the counters and the clock are read while the lock is
    // held, also when a change was committed while we waited for the lock. An action begins when all have answered.
    enter: (client: ClientBase, tenant: number) => `
      BEGIN;
      SELECT pg_advisory_xact_lock_shared(${fenceLock(tenant)});
      SELECT pg_advisory_lock(${FENCE_SESSIONS}, ${ids.get(client)});
      ${STATE.replaceAll("$tenant", String(tenant))}`,
    leave: (client: ClientBase) => `SELECT pg_advisory_unlock(${FENCE_SESSIONS}, ${ids.get(client)}); COMMIT`,
    /** Ends the sessions that are idle, waits for the others, and takes all of them off the record. */
    async close(): Promise<void> {
      await pool.end();
      isClosed = true;
      for (const id of registered) ended.add(id);
      forgetting ??= forgetEnded();
      await forgetting;
    },
  };
}

/** How long a change of the policy waits for the actions of lost sessions. Longer than `LEASE_MS` of fence-batch.ts. */
const WAIT_MS = 800;
const PAUSE_MS = 20;

const LOST = `
  WITH held AS MATERIALIZED (
    SELECT objid::bigint AS id, bool_or(mode = 'ExclusiveLock') AS busy FROM pg_locks
    WHERE locktype = 'advisory' AND classid = ${FENCE_SESSIONS} AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    GROUP BY objid
  )
  SELECT fence_sessions.id FROM fence_sessions LEFT JOIN held USING (id) WHERE busy IS NOT FALSE`;

/**
 * For whoever holds the fence's lock alone. Waits until the processes that lost sessions have said that their actions have
 * ended, or until any such action must have ended (`LEASE_MS`): a process that was killed says nothing. It counts pauses
 * and reads no clock, because somebody may set the server's.
 */
export const awaitLostSessions: Statement = {
  text: `
  DO $$ BEGIN
    FOR pause IN 1..${Math.ceil(WAIT_MS / PAUSE_MS)} LOOP
      EXIT WHEN NOT EXISTS (${LOST});
      PERFORM pg_sleep(${PAUSE_MS / 1_000});
    END LOOP;
    DELETE FROM fence_sessions WHERE id IN (${LOST});
  END $$`,
};
