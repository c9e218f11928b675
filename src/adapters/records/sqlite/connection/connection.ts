// One SQLite connection, which reads and writes share. Every failure is reported as `records-unavailable`.
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import type { Sql, Statement } from "#adapters/records/shared/sql.ts";
import { throwUnavailable } from "#adapters/records/shared/unavailable.ts";
import { groupCommit } from "./group-commit.ts";

export interface Connection extends Sql {
  readonly database: DatabaseSync;
  /** Runs `job` at once. */
  read<T>(job: () => T): Promise<T>;
  /** For use in `read`: the statements of `job` see one state, also while another process writes. */
  inSnapshot<T>(job: () => T): T;
  /** Runs `job` in the next commit, and answers when it is on disk. A job that throws undoes only itself. */
  transaction<T>(job: () => T): Promise<T>;
  /** For use in `transaction`. */
  run(statements: readonly Statement[]): void;
  /** A prepared statement, which ignores values that its text does not name. `text` is one of a few fixed texts. */
  prepare(text: string): StatementSync;
  /** Commits what waits, and ends the connection. */
  close(): void;
}

export function createConnection(database: DatabaseSync): Connection {
  const commits = groupCommit(database);
  const begin = database.prepare("BEGIN");
  const end = database.prepare("COMMIT");
  const prepared = new Map<string, StatementSync>();

  async function read<T>(job: () => T): Promise<T> {
    try {
      return job();
    } catch (error) {
      return throwUnavailable(error);
    }
  }

  const transaction = <T>(job: () => T) => commits.write(job).catch(throwUnavailable);

  function prepare(text: string): StatementSync {
    const known = prepared.get(text);
    if (known !== undefined) return known;
    const statement = database.prepare(text);
    statement.setAllowUnknownNamedParameters(true);
    prepared.set(text, statement);
    return statement;
  }

  function all<Row>({ text, values = [] }: Statement): Row[] {
    return prepare(text).all(Object.fromEntries(values.map((value, i) => [`$${i + 1}`, toSqlite(value)]))) as Row[];
  }

  return {
    database,
    read,
    transaction,
    prepare,
    rows: (statement) => read(() => all(statement)),
    row: <Row>(statement: Statement) => read(() => all<Row>(statement)[0]),
    write: (...statements) => transaction(() => statements.forEach(all)),
    writeRow: <Row>(statement: Statement) => transaction(() => all<Row>(statement)[0]),
    run: (statements) => statements.forEach(all),

    inSnapshot(job) {
      begin.run();
      try {
        return job();
      } finally {
        end.run();
      }
    },

    close() {
      commits.flush();
      database.close();
    },
  };
}

/** SQLite has no booleans, and null in place of undefined. */
function toSqlite(value: unknown): SQLInputValue {
  return typeof value === "boolean" ? Number(value) : ((value ?? null) as SQLInputValue);
}
