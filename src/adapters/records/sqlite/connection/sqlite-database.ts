// Runs statements, each prepared once. Reads run at once; writes in the next group commit, where each fails by itself.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Commit, Database, Plan, Writes } from "#adapters/records/shared/sql/database.ts";
import { forTenant } from "#adapters/records/shared/sql/database.ts";
import { type RowsOf, type Statement, writtenOut } from "#adapters/records/shared/sql/dialect.ts";
import { groupCommit } from "#adapters/records/shared/sql/group-commit.ts";
import { tenantsServed } from "#async/tenants-served.ts";
import { trackWork } from "#async/track-work.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Connection } from "./connection.ts";
import { isBusy } from "./write-queue.ts";

export type Runner = ReturnType<typeof statementRunner>;

interface Prepared {
  readonly statement: StatementSync;
  readonly hasRows: boolean;
  /** For each `?`, which value it takes, or `TENANT` or `NOW`. Undefined when they take the values in their order. */
  readonly places: readonly number[] | undefined;
}

/** Items of one job of the write queue. Statements of one kind, one after the other, take half of their time. */
const ITEMS_OF_A_JOB = 50;

const TENANT = -1;
const NOW = -2;
const PLACES: Readonly<Record<string, number>> = { tenant: TENANT, now: NOW };

export function statementRunner(database: DatabaseSync, now: () => Date) {
  const prepared = new Map<string, Prepared>();

  function prepare(marked: string) {
    const text = writtenOut(marked, "sqlite");
    // To SQLite `$1` is a name, and so is `?1` to the first versions of Node 22 that we run on: they give values to plain `?` alone.
    const order: number[] = [];
    const statement = database.prepare(
      text.replaceAll(/\$(\d+|tenant|now)/g, (_, place) => {
        order.push(PLACES[place] ?? Number(place) - 1);
        return "?";
      }),
    );
    const hasRows = /^\s*(SELECT|WITH)|\bRETURNING\b/.test(text);
    const places = order.every((place, i) => place === i) ? undefined : order;
    const all = { statement, hasRows, places };
    prepared.set(marked, all);
    return all;
  }

  /** Every statement of a chat comes by here, so it is one loop. */
  function toSql(given: readonly unknown[], places: readonly number[] | undefined, tenant?: number): SQLInputValue[] {
    const values: SQLInputValue[] = [];
    const count = places?.length ?? given.length;
    for (let i = 0; i < count; i++) {
      const place = places?.[i] ?? i;
      if (place === TENANT) values.push(required(tenant));
      else values.push(place === NOW ? now().toISOString() : toValue(given[place]));
    }
    return values;
  }

  function run<Row>({ text, values = [], given, choice, tenant, read }: Statement<Row>): Row[] {
    if (choice !== undefined) {
      for (const each of choice.sqlite()) run(tenant === undefined ? each : { ...each, tenant });
      return [];
    }
    const { statement, hasRows, places } = prepared.get(text) ?? prepare(text);
    if (hasRows && given === undefined) {
      const rows = statement.all(...toSql(values, places, tenant)) as never[];
      return read === undefined ? rows : rows.map(read);
    }
    const all = given?.rows.map((row) => given.names.map((name) => (row as Record<string, unknown>)[name])) ?? [values];
    if (hasRows) return all.flatMap((row) => statement.all(...toSql(row, places, tenant)) as Row[]);
    for (const row of all) statement.run(...toSql(row, places, tenant));
    return [];
  }

  return {
    run,

    /** As `rowsUpTo`: rows come one by one, so that no row is read that is not taken, except for the first one too many. */
    runUpTo<Row>({ text, values = [], tenant, read }: Statement<Row>, budget: number, weigh: (row: Row) => number) {
      const { statement, places } = prepared.get(text) ?? prepare(text);
      const taken: Row[] = [];
      let weight = 0;
      try {
        for (const found of statement.iterate(
          ...toSql(values, places, tenant),
        ) as Iterable<unknown> as Iterable<never>) {
          const row: Row = read === undefined ? found : read(found);
          weight += weigh(row);
          if (weight > budget && taken.length > 0) return { taken, isCut: true };
          taken.push(row);
        }
        return { taken, isCut: false };
      } catch (error) {
        // A statement whose `iterate` failed reports the failure once more when it is used again, because Node resets it
        // only then. So it is prepared again.
        prepared.delete(text);
        throw error;
      }
    },
  };
}

function required(tenant: number | undefined): number {
  if (tenant === undefined) throw new Error("A statement about a tenant was sent without one.");
  return tenant;
}

/** Lists are kept as JSON, and booleans as 0 and 1. */
function toValue(value: unknown): SQLInputValue {
  switch (typeof value) {
    case "undefined":
      return null;
    case "boolean":
      return Number(value);
    case "object":
      return Array.isArray(value) ? JSON.stringify(value) : (value as SQLInputValue);
    default:
      return value as SQLInputValue;
  }
}

/** Runs `reads`, and the statements that are decided on. Must run inside a transaction. */
export function runPlan<T, Reads extends readonly Statement[]>(
  { run }: Runner,
  reads: Reads,
  decide: (rows: RowsOf<Reads>) => Plan<T>,
): T {
  const { statements, outcome } = decide(reads.map((read) => run(read)) as never);
  for (const statement of statements) run(statement);
  return outcome;
}

/** What SQLite says of the key `names_alike`. It does not name it, but its columns. */
const NAMES_ALIKE = "names.tenant, names.kind, names.skeleton, names.place";

export interface SqliteDatabase extends Database, Runner {
  idle(): Promise<void>;
}

export function sqliteDatabase(connection: Connection, runner: Runner): SqliteDatabase {
  const { run, runUpTo } = runner;
  const { read, inSnapshot } = connection;
  const { track, idle } = trackWork();

  function writesTo(write: Connection["write"]): Writes {
    return {
      write: (...statements) =>
        write(() => {
          for (const statement of statements) run(statement);
        }, statements[0]?.tenant),
      change: (statement) => write(() => run(statement), statement.tenant),
      readThenWrite: (reads, decide, options) => write(() => runPlan(runner, reads, decide), options?.tenant),
    };
  }

  /** The statement's own error. It undid itself, unless the disk ended the whole transaction. */
  const causeOf = (error: unknown) => (error instanceof PortcullisError && error.cause) || error;

  return {
    name: "sqlite",
    ...runner,
    rows: (statement) => read(() => run(statement)),
    row: (statement) => read(() => run(statement)[0]),
    rowsUpTo: (statement, budget, weigh) => read(() => runUpTo(statement, budget, weigh)),
    snapshot: (statements) => read(() => inSnapshot(() => statements.map((each) => run(each)) as never)),
    ...writesTo(connection.write),
    reserve: writesTo(connection.writeFromReserve),
    requireRoom: connection.requireRoom,
    lookups: (load) => async (key) => (await load([key])).get(key),
    groupCommit<T, R>(most: number, commit: Commit<T, R>) {
      const together = groupCommit({ max: Math.min(most, ITEMS_OF_A_JOB), overlaps: true, isUndone }, commit);
      const alone = async (item: T): Promise<R> => (await commit([item]))(item);
      return (item: T) => track(most === 1 || tenantsServed.areSeveral() ? alone(item) : together(item));
    },
    inTurns(options, commit) {
      const write = groupCommit({ ...options, isUndone }, commit);
      return (item) => track(write(item));
    },
    violates(error, constraint) {
      const cause = causeOf(error);
      return cause instanceof Error && cause.message.includes(constraint === "names_alike" ? NAMES_ALIKE : constraint);
    },
    isUndone,
    idle,
  };
}

/** As `forTenant`, for what runs at once as well. */
export function sqliteForTenant(database: SqliteDatabase, tenant: number): SqliteDatabase {
  return {
    ...forTenant(database, tenant),
    run: (statement) => database.run({ ...statement, tenant }),
    runUpTo: (statement, budget, weigh) => database.runUpTo({ ...statement, tenant }, budget, weigh),
  };
}

/**
 * A statement that fails undoes itself. Not so when the files are lost, or SQLite found the disk full; a refusal because of
 * the reserve has no cause. While another process holds the file, each further try would wait for it as long again.
 */
function isUndone(error: unknown): boolean {
  if (!(error instanceof PortcullisError)) return true;
  if (error.code === "storage-full") return error.cause === undefined;
  return error.code !== "storage-lost" && !isBusy(error.cause);
}
