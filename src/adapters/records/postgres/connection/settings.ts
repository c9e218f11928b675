// How every connection to PostgreSQL is made, whatever it is for.
import { Socket } from "node:net";
import { type ClientBase, type ClientConfig, type CustomTypesConfig, types } from "pg";

const INT8 = 20;

/** Numbers of 64 bits are counters and times of ours, all far below 2^53. Set here, and not for the whole process. */
const ourTypes: CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text") =>
    oid === INT8 && format !== ("binary" as string) ? Number : types.getTypeParser(oid, format)) as never,
};

export interface Patience {
  /** How long the server may take over one statement. Zero: as long as it wants. */
  readonly statementMs: number;
  /** How long a statement may wait for a lock. */
  readonly lockMs: number;
  /** How long a transaction may stand still before the server ends it. */
  readonly idleMs: number;
}

export const PATIENCE: Patience = { statementMs: 15_000, lockMs: 10_000, idleMs: 10_000 };
const CONNECT_MS = 5_000;
const KEEPALIVE_MS = 10_000;
/** The server's own limit comes first; ours is for a server, or a network, that has gone silent. */
export const SILENCE_MS = 5_000;

/**
 * One connection string, so one server, and it must be the primary: a replica can show an old policy as if it were
 * the current one. `sockets` collects what is open, so that all can be closed without asking the server.
 */
export function settingsFor(url: string, sockets: Set<Socket>, patience: Patience = PATIENCE): ClientConfig {
  const { statementMs, lockMs, idleMs } = patience;
  return {
    connectionString: url,
    application_name: "portcullis",
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
    query_timeout: statementMs === 0 ? 0 : statementMs + SILENCE_MS,
    types: ourTypes,
    // Statements are sent without waiting for the answers to those before them: a transaction is one round trip.
    pipeline: true,
    stream() {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    },
  };
}

/** The first statement of every session. What it sets, an administrator may have set otherwise for all programs. */
const PREPARE = `
  SELECT pg_is_in_recovery() AS "isReplica",
    set_config('search_path', 'portcullis', false),
    -- Every statement sees what was committed before it: the fence rests on that.
    set_config('default_transaction_isolation', 'read committed', false),
    -- A write that has answered survives a crash.
    CASE current_setting('synchronous_commit') WHEN 'off' THEN set_config('synchronous_commit', 'on', false) END,
    -- Connections that listen or hold a lock are idle for long, and must not be ended for it.
    CASE WHEN current_setting('idle_session_timeout', true) <> '0' THEN set_config('idle_session_timeout', '0', false) END`;

export async function prepareSession(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ isReplica: boolean }>(PREPARE);
  // A server cannot become a replica without ending its sessions, so asking once a session is enough.
  if (rows[0]?.isReplica)
    throw new Error("This PostgreSQL is a replica, which may lag behind. Connect to the primary.");
}
