import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";

/**
 * Reads the rows of a statement one by one. A statement whose `iterate` failed reports the failure once more when it is
 * used again, because Node resets it only then. So it is prepared again after a failure.
 */
export function rowReader<Row>(database: DatabaseSync, sql: string) {
  let statement: StatementSync | undefined;

  return function* (values: Readonly<Record<string, SQLInputValue>>): Generator<Row> {
    if (statement === undefined) {
      statement = database.prepare(sql);
      statement.setAllowUnknownNamedParameters(true);
    }
    try {
      yield* statement.iterate(values) as Iterable<unknown> as Iterable<Row>;
    } catch (error) {
      statement = undefined;
      throw error;
    }
  };
}
