// The settings of every connection to PostgreSQL.
import { Socket } from "node:net";
import { type ClientBase, type ClientConfig, type CustomTypesConfig, types } from "pg";

const INT8 = 20;

/** 64-bit numbers are our own counters and times, far below 2^53. Set here, and not for the whole process. */
const ourTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text") =>
    oid === INT8 && format !== ("binary" as string) ? Number : types.getTypeParser(oid, format)) as never,
};

/** Timeouts that the server enforces. Zero: none. */
export interface Timeouts {
  readonly statementMs: number;
  readonly lockMs: number;
  /** For a transaction that stands still. Then the server ends the session. */
  readonly idleMs: number;
}

export const TIMEOUTS: Timeouts = { statementMs: 15_000, lockMs: 10_000, idleMs: 10_000 };
const CONNECT_MS = 5_000;
const KEEPALIVE_MS = 10_000;
/** How much later than the server's our own timeout is. It is for a server, or a network, that has gone silent. */
export const SILENCE_MS = 5_000;

/** It must be the primary: a replica can show an old policy. `sockets` collects the open ones, to close them all. */
export function settingsFor(
  url: string,
  sockets: Set<Socket>,
  { statementMs }: Pick<Timeouts, "statementMs"> = TIMEOUTS,
): ClientConfig {
  return {
    connectionString: url,
    application_name: "portcullis",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    query_timeout: statementMs === 0 ? 0 : statementMs + SILENCE_MS,
    types: ourTypes,
    // Pipelining: a statement does not wait for the answer to the one before it: a transaction takes one round trip.
    pipeline: true,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
  };
}

/** The first statement of every session. An administrator may have set these values differently for all programs. */
const PREPARE = `
  SELECT pg_is_in_recovery() AS "isReplica",
    set_config('search_path', 'portcullis', false),
    -- Not parameters of the connection: a pooler would refuse those.
    set_config('statement_timeout', $1, false), set_config('lock_timeout', $2, false),
    set_config('idle_in_transaction_session_timeout', $3, false),
    -- Every statement sees what was committed before it began. The fence relies on that.
    set_config('default_transaction_isolation', 'read committed', false),
    -- To compile a statement takes longer than to run any of ours.
    set_config('jit', 'off', false),
    -- A write that has answered survives a crash.
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END,
    -- Connections that listen or hold a lock are idle for long, and the server must not end them for it.
    CASE WHEN current_setting('idle_session_timeout', true) <> '0' THEN set_config('idle_session_timeout', '0', false) END,
    -- All sessions of a process have one name, so that others can end all of them (change-listener.ts).
    set_config('application_name', left(current_setting('application_name'), 40) || ' ' || $4, false)`;

/** How often the server looks whether the client of a waiting statement is there. On Windows it cannot look. */
const WATCH_CLIENT = "SET client_connection_check_interval = 100";

/** `processId` is what all sessions of one process have in common. */
export async function prepareSession(client: ClientBase, processId: string, timeouts = TIMEOUTS): Promise<void> {
  const { statementMs, lockMs, idleMs } = timeouts;
  const values = [statementMs, lockMs, idleMs, processId].map(String);
  const prepared = client.query<{ isReplica: boolean }>(PREPARE, values);
  const watched = client.query(WATCH_CLIENT).catch(() => undefined);
  const { rows } = await prepared;
  await watched;
  // A server cannot become a replica without ending its sessions, so one check a session is enough.
  if (rows[0]?.isReplica)
    throw new Error("This PostgreSQL is a replica, which may lag behind. Connect to the primary.");
}
