// The connections to one PostgreSQL database: statements alone, or several in one transaction and one round trip.
import type { Socket } from "node:net";
import { Client, type ClientConfig, Pool, type PoolClient } from "pg";
import { isUndone } from "./failures.ts";
import { PATIENCE, type Patience, prepareSession, SILENCE_MS, settingsFor } from "./settings.ts";

export interface Statement {
  /** Always one of a few fixed texts: each is prepared once a connection, and kept. */
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface Database {
  run<Row>(statement: Statement): Promise<Row[]>;
  /** One transaction. All statements are sent before the first has answered, so none can depend on another's rows. */
  together(statements: readonly Statement[], manner?: Manner): Promise<unknown[][]>;
  /** A pool beside the ordinary one, so that neither waits for the other's connections. */
  poolOf(max: number, patience?: Partial<Patience>): Pool;
  /** A connection for one purpose. Not connected yet. */
  client(): Client;
  /** Ends everything, after `last`. What runs may finish, but not for long: the server may never answer again. */
  close(last?: Promise<unknown>): Promise<void>;
}

export interface Manner {
  readonly begin?: string;
  /** How long each statement may take, when it is not as long as usual. */
  readonly patienceMs?: number;
}

/** For `begin`: the statements see one moment. */
export const ONE_MOMENT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const GRACE_MS = 2_000;
const IDLE_MS = 30_000;

export function connectTo(url: string, max: number): Database {
  const sockets = new Set<Socket>();
  const pools: Pool[] = [];

  function poolOf(most: number, patience: Partial<Patience> = {}): Pool {
    const settings: ClientConfig = settingsFor(url, sockets, { ...PATIENCE, ...patience });
    const pool = new Pool({ ...settings, max: most, idleTimeoutMillis: IDLE_MS, onConnect: prepareSession });
    // A connection that is lost while nobody uses it is no event: the pool makes another. One that is lost in use
    // fails the statements that it had, and whoever sent them is told.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    pools.push(pool);
    return pool;
  }

  const pool = poolOf(max);

  async function using<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect();
    let isFit = false;
    try {
      const result = await job(client);
      isFit = true;
      return result;
    } catch (error) {
      // A server that ends a session says so first, and the connection is lost only then.
      isFit = isUndone(error);
      throw error;
    } finally {
      client.release(!isFit);
    }
  }

  return {
    run: <Row>(statement: Statement) => using((client) => send<Row>(client, statement)),

    together: (statements, { begin = "BEGIN", patienceMs } = {}) =>
      using(async (client) => {
        const first = patienceMs === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${patienceMs}`;
        const all = [{ text: first }, ...statements, { text: "COMMIT" }];
        const sent = all.map((statement) => send<unknown>(client, statement, patienceMs));
        // The first that failed says why: those after it only say that the transaction is void.
        const results = await Promise.allSettled(sent);
        for (const result of results) if (result.status === "rejected") throw result.reason;
        return results.slice(1, -1).map((result) => (result.status === "fulfilled" ? result.value : []));
      }),

    poolOf,

    client: () => new Client(settingsFor(url, sockets)),

    async close(last = Promise.resolve()) {
      await inTime(last);
      await inTime(Promise.allSettled(pools.map((each) => each.end())));
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function inTime(job: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise((resolve) => {
    timer = setTimeout(resolve, GRACE_MS);
  });
  await Promise.race([job, timeUp]);
  clearTimeout(timer);
}

const names = new Map<string, string>();

async function send<Row>(client: PoolClient, { text, values }: Statement, patienceMs?: number): Promise<Row[]> {
  // Not in the types: how long we wait for the answer, where it differs from the connection's own limit.
  const limit = patienceMs === undefined ? {} : { query_timeout: patienceMs + SILENCE_MS };
  if (values === undefined) return (await client.query({ text, ...limit })).rows;
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return (await client.query({ name, text, values: [...values], ...limit })).rows;
}
