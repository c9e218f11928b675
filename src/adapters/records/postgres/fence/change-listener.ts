// Listens for changes of the policy that other processes make, and ends those that hold us up. Nothing depends on it: what
// must hold is held by the fence, and the server gives up a session that stands still.
import type { Client, Notification } from "pg";
import type { Database } from "#adapters/records/postgres/connection/database.ts";

/** Where every change of a policy, and every removal of memories, is announced, with the tenant's number. */
export const CHANNEL = "portcullis_policy";

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Calls `onChange` soon after every change, with the tenant, and without one when a change may have been missed. */
export function listenToChanges(
  database: Pick<Database, "client" | "prepare">,
  onChange: (tenant?: number) => void,
): { close(): void } {
  let isClosed = false;
  let pauseMs = FIRST_PAUSE_MS;
  let timer: NodeJS.Timeout | undefined;
  let current: Client | undefined;

  function listen(): void {
    const client = database.client();
    current = client;
    let isLost = false;
    function reconnect(): void {
      if (isLost || isClosed) return;
      isLost = true;
      clearTimeout(timer);
      void client.end().catch(() => undefined);
      timer = setTimeout(listen, pauseMs).unref();
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    /** It also tells whether the connection died silently, which looks like one on which nothing happens. */
    function lookLater(): void {
      timer = setTimeout(() => client.query(END_STALLED_PROCESSES).then(lookLater, reconnect), LOOK_MS).unref();
    }
    client.on("error", reconnect);
    client.on("end", reconnect);
    client.on("notification", ({ channel, payload }: Notification) => {
      if (channel === CHANNEL) onChange(Number(payload));
    });
    subscribe(client, database).then(() => {
      if (isLost || isClosed) return;
      pauseMs = FIRST_PAUSE_MS;
      lookLater();
      onChange();
    }, reconnect);
  }

  listen();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
      void current?.end().catch(() => undefined);
    },
  };
}

async function subscribe(client: Client, { prepare }: Pick<Database, "prepare">): Promise<void> {
  await client.connect();
  await prepare(client);
  await client.query(`LISTEN ${CHANNEL}`);
}

// A process that is stopped, or whose machine is, keeps its sessions, and what they have locked. The server gives up one
// that stands still in a transaction, but only then the next one of that process gets its lock, and stands still as well.
// So every process looks for others that hold it up while they stand still, and ends all their sessions that hold a lock,
// wait for one, or stand still in a transaction. The others hold up nobody, and a process that was only slow keeps them.
//
// That is always safe, also when the process was only slow: it loses its sessions as it may at any time. What it was
// sending is waited for (`awaitLostSessions`), and its transactions are rolled back.

/** How often a process looks. */
const LOOK_MS = 300;
/** Longer than `LEASE_MS` (fence-batch.ts). On a busy machine, a process that is only slow should keep its sessions. */
const STALLED_MS = 1_200;
/** Seen twice: where several processes stood still at once, the first that wakes would else end the others. */
const SECOND_LOOK_MS = 200;

/** Others like us that have done nothing in their transaction, while somebody waits for it. */
const STALLED = `
  SELECT DISTINCT holder.application_name
  FROM pg_stat_activity AS waiter
  CROSS JOIN LATERAL unnest(pg_blocking_pids(waiter.pid)) AS blocking (pid)
  JOIN pg_stat_activity AS holder ON holder.pid = blocking.pid
  WHERE waiter.datname = current_database() AND waiter.wait_event_type = 'Lock'
    AND holder.usename = current_user AND holder.application_name ~ ' [0-9a-f]{12}$'
    AND holder.application_name <> current_setting('application_name')
    AND holder.state = 'idle in transaction'
    AND holder.state_change < clock_timestamp() - interval '${STALLED_MS} milliseconds'`;

/** Does nothing where the sessions of others belong to another role. Then the server's timeouts remain. */
const END_STALLED_PROCESSES = `
  DO $$ DECLARE
    stalled text[];
  BEGIN
    stalled := ARRAY (${STALLED});
    IF stalled = '{}' THEN RETURN; END IF;
    PERFORM pg_sleep(${SECOND_LOOK_MS / 1_000}), pg_stat_clear_snapshot();
    stalled := ARRAY (SELECT application_name FROM (${STALLED}) AS still WHERE application_name = ANY (stalled));
    PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name = ANY (stalled)
      AND (state LIKE 'idle in transaction%' OR wait_event_type = 'Lock'
        OR pid IN (SELECT pid FROM pg_locks WHERE locktype = 'advisory'));
  END $$`;
