// The connections to one PostgreSQL database. It runs statements alone, or several in one transaction and one round
// trip. Every failure of a statement is reported as `records-unavailable`.
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { Client, type ClientBase, type ClientConfig, Pool, type PoolClient } from "pg";
import { fullDiskMemory, unavailable } from "#adapters/records/shared/database/unavailable.ts";
import type * as sql from "#adapters/records/shared/sql/database.ts";
import { resolved, writtenOut } from "#adapters/records/shared/sql/dialect.ts";
import { groupCommit, type OnCommit } from "#adapters/records/shared/sql/group-commit.ts";
import { batchLookups } from "#async/batches.ts";
import { trackWork } from "#async/track-work.ts";
import { orAfter } from "#async/with-deadline.ts";
import { EndedBeforeCommit, isEnded, isEndedBeforeCommit, isLost, isUndone, violates } from "./failures.ts";
import { prepareSession, SILENCE_MS, settingsFor, TIMEOUTS, type Timeouts } from "./settings.ts";

export interface Database extends sql.Database {
  /** Throws when the server's disk was full a moment ago. */
  throwIfFull(): void;
  /** A pool beside the ordinary one, so that neither waits for the other's connections. `prepare` begins each session. */
  pool(max: number, timeouts?: Partial<Timeouts>, prepare?: (client: ClientBase) => Promise<void>): Pool;
  client(): Client;
  prepare(client: ClientBase): Promise<void>;
  /** Waits for group commits and for `last`, then ends everything. The server may never answer again, so not for long. */
  close(last?: () => Promise<unknown>): Promise<void>;
}

interface BeginOptions extends sql.TransactionOptions {
  readonly begin?: string;
}

export const READ_SNAPSHOT = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
const CLOSE_MS = 2_000;
/** One for what takes the fence alone, and one for reads of the change feed. */
const URGENT = 2;
const IDLE_MS = 30_000;
const MAX_LOOKUPS = 500;
/** How often something is tried. When one session of a process is ended, often all are, and a pool finds each lost by using it. */
const MAX_TRIES = 3;
const RETRY_WITHIN_MS = 5_000;

export function connectTo(url: string, max: number, onCommit?: OnCommit): Database {
  const processId = randomBytes(6).toString("hex");
  const sockets = new Set<Socket>();
  const pools: Pool[] = [];

  const createPool: Database["pool"] = (size, timeouts = {}, prepare = async () => undefined) => {
    const all = { ...TIMEOUTS, ...timeouts };
    const settings: ClientConfig = settingsFor(url, sockets, all);
    const onConnect = (client: ClientBase) => prepareSession(client, processId, all).then(() => prepare(client));
    const pool = new Pool({ ...settings, max: size, idleTimeoutMillis: IDLE_MS, onConnect });
    // The pool replaces a connection that is lost while idle. One that is lost in use fails its statements, and their
    // callers learn of it.
    pool.on("error", () => undefined);
    pool.on("connect", (client) => client.on("error", () => undefined));
    pools.push(pool);
    return pool;
  };

  const commits = trackWork();
  const commitsOf: Database["inTurns"] = (options, commit) => {
    const write = groupCommit({ ...options, onCommit, isUndone }, commit);
    return (item) => commits.track(write(item));
  };

  const ordinary = createPool(max);
  const urgent = createPool(URGENT);
  const fullDisk = fullDiskMemory();

  async function using<T>(job: (client: PoolClient) => Promise<T>, pool = ordinary): Promise<T> {
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

  /** What only reads runs again in another session when its own was lost. */
  const reading = <T>(job: (client: PoolClient) => Promise<T>, pool: Pool) =>
    repeatedly(() => using(job, pool), isLost);

  /** Runs again what cannot be on record. Only soon: what is done when its caller has gone takes effect unasked. */
  function writing<T>(job: (client: PoolClient) => Promise<T>, pool: Pool): Promise<T> {
    const began = performance.now();
    const isSoon = () => performance.now() - began < RETRY_WITHIN_MS;
    return repeatedly(
      () => using(job, pool),
      (error) => isEndedBeforeCommit(error) && isSoon(),
    );
  }

  const poolFor = ({ isUrgent = false }: sql.TransactionOptions) => (isUrgent ? urgent : ordinary);
  const rows = <Row>(statement: sql.Statement<Row>, options: Pick<sql.TransactionOptions, "isUrgent"> = {}) =>
    reading((client) => send(client, statement), poolFor(options));
  const change: Database["change"] = (statement) => using((client) => send(client, statement));

  const transactionOf = (statements: readonly sql.Statement[], options: BeginOptions) => async (client: PoolClient) => {
    const all = [beginning(options), ...statements, COMMIT];
    return (await sendAll(client, all, options.timeoutMs)).slice(1, -1);
  };

  const readThenWrite: Database["readThenWrite"] = (reads, decide, options = {}) =>
    writing(async (client) => {
      const rows = await sendAll(client, [beginning(options), ...reads], options.timeoutMs).catch((error) =>
        rolledBack(client, error),
      );
      const { statements, outcome } = decide(rows.slice(1) as never);
      await sendAll(client, [...statements, COMMIT], options.timeoutMs);
      return outcome;
    }, poolFor(options));

  const writes: sql.Writes = {
    async write(...given) {
      const statements = resolved(given, "postgres");
      const [only] = statements;
      await (statements.length === 1 && only !== undefined
        ? change(only)
        : writing(transactionOf(statements, {}), ordinary));
    },
    change,
    readThenWrite,
  };

  return {
    name: "postgres",
    rows,
    row: async (statement) => (await rows(statement))[0],
    rowsUpTo: async (statement) => ({ taken: await rows(statement), isCut: false }),
    snapshot: (statements, options = {}) =>
      reading(transactionOf(statements, { ...options, begin: READ_SNAPSHOT }), poolFor(options)) as never,
    ...writes,
    reserve: writes,
    lookups: (load) => batchLookups(MAX_LOOKUPS, load),
    groupCommit: (most, commit) => commitsOf({ max: most }, commit),
    inTurns: commitsOf,
    isUndone,
    violates,
    requireRoom: () => undefined,
    throwIfFull: fullDisk.throwIfRecent,
    pool: createPool,
    client: () => new Client(settingsFor(url, sockets)),
    prepare: (client) => prepareSession(client, processId),

    async close(last = async () => undefined) {
      await orAfter(CLOSE_MS, commits.idle().then(last), undefined);
      await orAfter(CLOSE_MS, Promise.allSettled(pools.map((each) => each.end())), undefined);
      for (const socket of sockets) socket.destroy();
    },
  };
}

const COMMIT: sql.Statement = { text: "COMMIT" };

function beginning({ begin = "BEGIN", timeoutMs }: BeginOptions): sql.Statement {
  return { text: timeoutMs === undefined ? begin : `${begin}; SET LOCAL statement_timeout = ${timeoutMs}` };
}

/** Sends all before the first has answered. */
async function sendAll(client: PoolClient, given: readonly sql.Statement[], timeoutMs?: number): Promise<unknown[][]> {
  const statements = resolved(given, "postgres");
  const results = await Promise.allSettled(statements.map((each) => send<unknown>(client, each, timeoutMs)));
  // The first one that failed has the reason. Those after it only say that the transaction is void.
  return results.map((result, i) => {
    if (result.status === "fulfilled") return result.value;
    const isCommitted = statements[i] === COMMIT;
    throw isEnded(result.reason) && !isCommitted ? new EndedBeforeCommit(result.reason) : result.reason;
  });
}

export async function repeatedly<T>(run: () => Promise<T>, mayRepeat: (error: unknown) => boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === MAX_TRIES || !mayRepeat(error)) throw error;
    }
  }
}

/** Ends a transaction whose statement failed, so that the connection can be used again, and throws the error. */
async function rolledBack(client: PoolClient, error: unknown): Promise<never> {
  await client.query("ROLLBACK").catch(() => undefined);
  throw error;
}

interface Prepared {
  readonly name: string;
  readonly text: string;
  readonly hasTenant: boolean;
}

const prepared = new Map<string, Prepared>();

/** The tenant is the last value. */
function prepare(marked: string): Prepared {
  const given = writtenOut(marked, "postgres");
  const last = Math.max(0, ...Array.from(given.matchAll(/\$(\d+)/g), ([, place]) => Number(place)));
  const text = given.replaceAll("$tenant", `$${last + 1}::bigint`);
  const all = { name: `s${prepared.size}`, text, hasTenant: text !== given };
  prepared.set(marked, all);
  return all;
}

export async function send<Row>(
  client: ClientBase,
  { text: marked, given, tenant, values = given && [JSON.stringify(given.rows)], read }: sql.Statement<Row>,
  timeoutMs?: number,
): Promise<Row[]> {
  // `query_timeout` is missing in the types. It is our own timeout, in place of the connection's.
  const limit = timeoutMs === undefined ? {} : { query_timeout: timeoutMs + SILENCE_MS };
  if (values === undefined) return (await client.query({ text: marked, ...limit })).rows;
  const { name, text, hasTenant } = prepared.get(marked) ?? prepare(marked);
  if (hasTenant && tenant === undefined) throw new Error("A statement about a tenant was sent without one.");
  const { rows } = await client.query({ name, text, values: hasTenant ? [...values, tenant] : [...values], ...limit });
  return read === undefined ? rows : (rows as never[]).map(read);
}
