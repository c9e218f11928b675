// What both databases can do, for the tables that have the same SQL in both.

export interface Statement {
  /** Always one of a few fixed texts: each is prepared once for each connection, and kept. */
  readonly text: string;
  /** Of the placeholders `$1`, `$2` and so on. */
  readonly values?: readonly unknown[];
}

export interface Sql {
  rows<Row>(statement: Statement): Promise<Row[]>;
  /** The first row. */
  row<Row>(statement: Statement): Promise<Row | undefined>;
  /** Runs the statements in one transaction. */
  write(...statements: readonly Statement[]): Promise<void>;
  /** Runs a statement that writes, and answers with the first row that it returns. */
  writeRow<Row>(statement: Statement): Promise<Row | undefined>;
}

/** A list as the argument of `json_each`, which takes an object in both databases, and a list only in SQLite. */
export const toJsonEach = (items: readonly object[]): string => JSON.stringify({ ...items });

/** In place of a limit: more rows than there will ever be. */
export const UNLIMITED = 2 ** 50;

/** A row that keeps a list as JSON. */
export type Json<T, Key extends keyof T> = Omit<T, Key> & Readonly<Record<Key, string>>;
