// What the records need of a database. Both run the same statements; where SQL differs, dialect.ts has both forms.
import type { LimitConstraint } from "#adapters/records/shared/schema/tenant-tables.ts";
import type { BatchOptions } from "#async/batches.ts";
import type { DatabaseName, RowsOf, Statement } from "./dialect.ts";

export type { Statement };

export type Results = readonly (readonly unknown[])[];

/** Records all of a batch, or none. Answers with the function that gives each item's result. */
export type Commit<T, R> = (items: readonly T[]) => Promise<(item: T) => R>;

export interface Plan<T> {
  readonly statements: readonly Statement[];
  readonly outcome: T;
}

export interface TransactionOptions {
  readonly timeoutMs?: number;
  /** For what others wait for, one of each kind at a time: it does not wait for ordinary statements to give a connection back. */
  readonly isUrgent?: boolean;
  /** Whose transaction it is. Only `forTenant` sets it. */
  readonly tenant?: number;
}

export interface Writes {
  /** Runs the statements in one transaction. Answers when they are on disk. */
  write(...statements: readonly Statement[]): Promise<void>;
  /** Runs one statement that changes rows, and answers with the rows that it returns. */
  change<Row>(statement: Statement<Row>): Promise<Row[]>;
  /** Runs `reads`, then the statements that `decide` makes of their rows, in one transaction of two round trips. */
  readThenWrite<T, const Reads extends readonly Statement[]>(
    reads: Reads,
    decide: (rows: RowsOf<Reads>) => Plan<T>,
    options?: TransactionOptions,
  ): Promise<T>;
}

/** Constraints of the schema that tell a caller why it is refused. */
export type Constraint = LimitConstraint | "names_alike";

export interface Database extends Writes {
  readonly name: DatabaseName;
  rows<Row>(statement: Statement<Row>, options?: Pick<TransactionOptions, "isUrgent">): Promise<Row[]>;
  row<Row>(statement: Statement<Row>): Promise<Row | undefined>;
  /** The first rows within `budget`, and at least one. SQLite reads no other, since a read blocks the process. */
  rowsUpTo<Row>(
    statement: Statement<Row>,
    budget: number,
    weigh: (row: Row) => number,
  ): Promise<{ readonly taken: readonly Row[]; readonly isCut: boolean }>;
  /** The rows of each statement, all as of one moment. */
  snapshot<const Reads extends readonly Statement[]>(
    statements: Reads,
    options?: Pick<TransactionOptions, "isUrgent">,
  ): Promise<RowsOf<Reads>>;
  /** The same writes for what must not be refused while a disk is nearly full: revokes, and the end of what began. */
  readonly reserve: Writes;
  /** Throws when only that reserve is left. PostgreSQL's disk is not ours, and has none. */
  requireRoom(): void;
  violates(error: unknown, constraint: Constraint): boolean;
  /** Whether a failed write has left nothing on record, so that a part of it may be tried again. */
  isUndone(error: unknown): boolean;
  /** Look-ups of single keys, which many requests make at once. PostgreSQL has one statement for those that wait. */
  lookups<V>(
    load: (keys: readonly string[]) => Promise<ReadonlyMap<string, V>>,
  ): (key: string) => Promise<V | undefined>;
  /**
   * Writes that share commits. An item that cannot be recorded fails alone. PostgreSQL has one commit for what arrives
   * during another, SQLite for what arrives in a turn of the event loop; while several tenants are served, each item is
   * a piece of work of its own, so that none holds up the others for long.
   */
  groupCommit<T, R = void>(max: number, commit: Commit<T, R>): (item: T) => Promise<R>;
  /** The same in batches with both databases: for what takes its turn behind the fence. */
  inTurns<T, R>(options: BatchOptions<T>, commit: Commit<T, R>): (item: T) => Promise<R>;
}

/** The same database, with every statement bound to one tenant. */
export function forTenant<D extends Database>(database: D, tenant: number): D {
  const bind = <Row>(statement: Statement<Row>): Statement<Row> => ({ ...statement, tenant });
  const boundWrites = ({ write, change, readThenWrite }: Writes): Writes => ({
    write: (...statements) => write(...statements.map(bind)),
    change: (statement) => change(bind(statement)),
    readThenWrite: (reads, decide, options) =>
      readThenWrite(
        reads.map(bind),
        (rows) => {
          const { statements, outcome } = decide(rows as never);
          return { statements: statements.map(bind), outcome };
        },
        { ...options, tenant },
      ),
  });
  return {
    ...database,
    ...boundWrites(database),
    reserve: boundWrites(database.reserve),
    rows: (statement, options) => database.rows(bind(statement), options),
    row: (statement) => database.row(bind(statement)),
    rowsUpTo: (statement, budget, weigh) => database.rowsUpTo(bind(statement), budget, weigh),
    snapshot: (statements, options) => database.snapshot(statements.map(bind), options) as never,
  };
}

/** In place of a limit: more rows than there will ever be. */
export const UNLIMITED = 2 ** 50;
