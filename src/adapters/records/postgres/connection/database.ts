// The connections to one PostgreSQL database. It runs statements alone, or several in one transaction and one round
// trip. Every failure of a statement is reported as `records-unavailable`.
import type { Socket } from "node:net";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from "pg";
import type { OnCommit } from "#adapters/records/shared/database/commit-observer.ts";
import { fullDiskMemory } from "#adapters/records/shared/database/full-disk-memory.ts";
import { unavailable } from "#adapters/records/shared/database/unavailable.ts";
import { orAfter } from "#async/with-deadline.ts";
import { isUndone } from "./failures.ts";
import { prepareSession, SILENCE_MS, settingsFor, TIMEOUTS, type Timeouts } from "./settings.ts";

export interface Statement {
  /** Always one of a few fixed texts: each is prepared once for each connection, and kept. */
  readonly text: string;
  readonly values?: readonly unknown[];
}

export interface Database {
  readonly onCommit?: OnCommit | undefined;
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The first row. */
  row<Row>(statement: Statement): Promise<Row | undefined>;
  /** Runs the statements in one transaction. */
  write(...statements: readonly Statement[]): Promise<void>;
  /**
   * Runs the statements in one transaction, and answers with the rows of each. All are sent before the first has
   * answered, so none can depend on another's rows.
   */
  transaction(statements: readonly Statement[], options?: TransactionOptions): Promise<unknown[][]>;
  /**
   * A transaction in two round trips: runs `reads`, and then the statements that `decide` makes of their rows. Answers
   * with the outcome of `decide`.
   */
  readThenWrite<T>(
    reads: readonly Statement[],
    decide: (rows: readonly (readonly unknown[])[]) => Decision<T>,
    options?: TransactionOptions,
  ): Promise<T>;
  /** Throws when the server's disk was full a moment ago. */
  requireRoom(): void;
  /** A pool beside the ordinary one, so that neither waits for the other's connections. `prepare` begins each session. */
  pool(max: number, timeouts?: Partial<Timeouts>, prepare?: (client: ClientBase) => Promise<void>): Pool;
  /** A connection for one purpose. Not connected yet. */
  client(): Client;
  /** Waits for `last`, then ends everything. Work under way may finish, but the server may never answer again. */
  close(last?: Promise<unknown>): Promise<void>;
}

export interface Decision<T> {
  readonly statements: readonly Statement[];
  readonly outcome: T;
}

export interface TransactionOptions {
  readonly begin?: string;
  /** For each statement, in place of the usual timeout. */
  readonly timeoutMs?: number;
}

/** For `begin`: the statements see one snapshot. */
export const READ_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const CLOSE_MS = 2_000;
const IDLE_MS = 30_000;

export function connectTo(url: string, max: number, onCommit?: OnCommit): Database {
  const sockets = new Set<Socket>();
  const pools: Pool[] = [];

  const createPool: Database["pool"] = (size, timeouts = {}, prepare = async () => undefined) => {
    const all = { ...TIMEOUTS, ...timeouts };
    const settings: ClientConfig = settingsFor(url, sockets, all);
    const onConnect = (client: ClientBase) => prepareSession(client, all).then(() => prepare(client));
    const pool = new Pool({ ...settings, max: size, idleTimeoutMillis: IDLE_MS, onConnect });
    // The pool replaces a connection that is lost while idle. One that is lost in use fails its statements, and their
    // callers learn of it.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    pools.push(pool);
    return pool;
  };

  const pool = createPool(max);
  const fullDisk = fullDiskMemory();

  async function using<T>(job: (client: PoolClient) => Promise<T>): Promise<T> {
    let client: PoolClient | undefined;
    let isUsable = false;
    try {
      client = await pool.connect();
      const result = await job(client);
      isUsable = true;
      return result;
    } catch (error) {
      // A server that ends a session says so first, and the connection is lost only then.
      isUsable = isUndone(error);
      const failure = unavailable(error);
      fullDisk.failed(failure);
      throw failure;
    } finally {
      client?.release(!isUsable);
    }
  }

  const rows = <Row>(statement: Statement) => using((client) => send<Row>(client, statement));

  const transaction: Database["transaction"] = (statements, options = {}) =>
    using(async (client) => {
      const all = [beginning(options), ...statements, COMMIT];
      return (await sendAll(client, all, options.timeoutMs)).slice(1, -1);
    });

  const readThenWrite: Database["readThenWrite"] = (reads, decide, options = {}) =>
    using(async (client) => {
      const rows = await sendAll(client, [beginning(options), ...reads], options.timeoutMs).catch((error) =>
        rolledBack(client, error),
      );
      const { statements, outcome } = decide(rows.slice(1));
      await sendAll(client, [...statements, COMMIT], options.timeoutMs);
      return outcome;
    });

  return {
    onCommit,
    rows,
    row: async <Row>(statement: Statement) => (await rows<Row>(statement))[0],
    async write(...statements) {
      const [only] = statements;
      await (statements.length === 1 && only !== undefined ? rows(only) : transaction(statements));
    },
    transaction,
    readThenWrite,
    requireRoom: fullDisk.throwIfRecent,
    pool: createPool,
    client: () => new Client(settingsFor(url, sockets)),

    async close(last = Promise.resolve()) {
      await orAfter(CLOSE_MS, last, undefined);
      await orAfter(CLOSE_MS, Promise.allSettled(pools.map((each) => each.end())), undefined);
      for (const socket of sockets) socket.destroy();
    },
  };
}

const COMMIT: Statement = { text: "COMMIT" };

function beginning({ begin = "BEGIN", timeoutMs }: TransactionOptions): Statement {
  return { text: timeoutMs === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${timeoutMs}` };
}

/** Sends all before the first has answered. */
async function sendAll(client: PoolClient, statements: readonly Statement[], timeoutMs?: number): Promise<unknown[][]> {
  const results = await Promise.allSettled(statements.map((each) => send<unknown>(client, each, timeoutMs)));
  // The first one that failed has the reason. Those after it only say that the transaction is void.
  return results.map((result) => {
    if (result.status === "rejected") throw result.reason;
    return result.value;
  });
}

/** Ends a transaction whose statement failed, so that the connection can be used again, and throws the error. */
async function rolledBack(client: PoolClient, error: unknown): Promise<never> {
  await client.query("ROLLBACK").catch(() => undefined);
  throw error;
}

/** The name of each prepared statement, by its text. */
const names = new Map<string, string>();

async function send<Row>(client: PoolClient, { text, values }: Statement, timeoutMs?: number): Promise<Row[]> {
  // `query_timeout` is missing in the types. It is our own timeout, in place of the connection's.
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + SILENCE_MS };
  if (values === undefined) return (await client.query({ text, ...limit })).rows;
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return (await client.query({ name, text, values: [...values], ...limit })).rows;
}
