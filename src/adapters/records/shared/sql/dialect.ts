// The differences between the SQL of SQLite and that of PostgreSQL, in one place.
import type { Words } from "#core/encoding/words.ts";

export interface Statement {
  /** One of a few fixed texts, prepared once and kept. `$1`, `$2` are the values, `$tenant` is the tenant. */
  readonly text: string;
  readonly values?: readonly unknown[];
  /** In place of `values`: runs once for each of these. Only `Dialect.given` makes such statements, and only for SQLite. */
  readonly each?: readonly (readonly unknown[])[];
  /** The number that `$tenant` stands for. Only `forTenant` sets it. */
  readonly tenant?: number;
}

/** The columns of rows that are given to a statement, with their types in PostgreSQL. */
export type Columns<Row> = { readonly [Column in keyof Row & string]-?: "text" | "bigint" | "boolean" | "text[]" };

/** Columns of this type, by their names with a space between. */
export const columnsOf = <const Type extends string, const Names extends string>(type: Type, names: Names) =>
  Object.fromEntries(names.split(" ").map((name) => [name, type])) as Readonly<Record<Words<Names>, Type>>;

export interface Dialect {
  readonly name: "sqlite" | "postgres";
  among(column: string, parameter: string): string;
  /**
   * Whether `column` is one of the rows of a query. PostgreSQL runs the query once, whatever it thinks of the number of rows:
   * of a table that has just grown it knows nothing.
   */
  within(column: string, query: string): string;
  /** Whether a row of a table is one of the first that meet a condition. `key` has the columns of the table's key. */
  oneOf(table: string, key: string, condition: string, limit: number): string;
  /** The values of an array of texts, as a table with the column `value`. */
  list(parameter: string): string;
  /** The rows of a JSON array of objects, as a table `alias` with the number of each as `place`. For reads. */
  table<Row>(parameter: string, columns: Columns<Row>, alias?: string): string;
  /**
   * Makes statements that write rows. `textWith` is given the SQL of a table `given`, which has the rows. PostgreSQL runs
   * the text once for all of them, SQLite once for each. No statement when there are no rows.
   */
  given<Row>(columns: Columns<Row>, textWith: (given: string) => string): (rows: readonly Row[]) => Statement[];
  /**
   * The same for inserts. `values` and `where` name columns of a row as `:name`, which begins with a small letter (a
   * pattern of times has `:MI`); `tail` is such as ON CONFLICT.
   */
  insert<Row>(
    columns: Columns<Row>,
    into: string,
    values: string,
    more?: { readonly where?: string; readonly tail?: string },
  ): (rows: readonly Row[]) => Statement[];
  /** The next number of a table's column `sequence`, `id` or `number`. In PostgreSQL the tenants share a sequence. */
  next(table: string, column: string): string;
  /** The time by which memories expire: that of PostgreSQL's server, so that all replicas agree. Read once a statement. */
  readonly now: string;
  /** Of a memory, whether its time is not over. */
  readonly isCurrent: string;
  readonly boolean: "integer" | "boolean";
  readonly greatest: "max" | "greatest";
  /** A member of a JSON object that is kept as text; NULL if there is none. */
  member(json: string, name: string): string;
  /** The elements of an array in such an object, as a table `alias`, and the text of a member of one. */
  elements(json: string, name: string, alias: string): string;
  elementText(alias: string, name: string): string;
  /** Whether the member of such an element is true. */
  elementIsTrue(alias: string, name: string): string;
  has(column: string, parameter: string): string;
  /** After a SELECT: others wait with changes of these rows until the transaction ends. SQLite has one writer at a time. */
  readonly forUpdate: string;
  /** Before memories are read: nobody else adds, forgets or pins one until the transaction ends. */
  readonly lockMemories: readonly Statement[];
}

/** Makes statements once for each dialect: tenants share their texts. */
export function perDialect<T>(make: (sql: Dialect) => T): (sql: Dialect) => T {
  const made = new Map<Dialect, T>();
  return (sql) => {
    const known = made.get(sql) ?? make(sql);
    made.set(sql, known);
    return known;
  };
}

const isCurrent = (now: string) => `(expires_at IS NULL OR expires_at > ${now})`;

/** The name of the function that the connections of SQLite have for the time. */
export const CLOCK = "clock_time";
const SQLITE_NOW = `(SELECT ${CLOCK}())`;

const eachRow = (names: readonly string[], text: string) => (rows: readonly unknown[]) =>
  rows.length === 0
    ? []
    : [{ text, each: rows.map((row) => names.map((name) => (row as Record<string, unknown>)[name])) }];

export const SQLITE: Dialect = {
  name: "sqlite",
  among: (column, parameter) => `${column} IN (SELECT value FROM json_each(${parameter}))`,
  within: (column, query) => `${column} IN (${query})`,
  oneOf: (table, key, condition, limit) =>
    `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${limit})`,
  list: (parameter) => `(SELECT value FROM json_each(${parameter})) AS list`,
  table: (parameter, columns, alias = "given") => {
    const fields = Object.keys(columns).map((name) => `value ->> '${name}' AS "${name}"`);
    return `(SELECT ${fields.join(", ")}, key + 1 AS place FROM json_each(${parameter})) AS ${alias}`;
  },
  given: (columns, textWith) => {
    const names = Object.keys(columns);
    return eachRow(names, textWith(`(SELECT ${names.map((name, i) => `$${i + 1} AS "${name}"`).join(", ")}) AS given`));
  },
  // The values stand in the text themselves: a table of one row costs a third of the time of an insert.
  insert: (columns, into, values, { where, tail = "" } = {}) => {
    const names = Object.keys(columns).filter((name) => new RegExp(`:${name}\\b`).test(`${values} ${where}`));
    const placed = (text: string) => text.replaceAll(/:([a-z][a-zA-Z]*)/g, (_, name) => `$${names.indexOf(name) + 1}`);
    const source =
      where === undefined ? `VALUES (${placed(values)})` : `SELECT ${placed(values)} WHERE ${placed(where)}`;
    return eachRow(names, `INSERT INTO ${into} ${source} ${tail}`);
  },
  next: (table, column) => `(SELECT coalesce(max(${column}), 0) + 1 FROM ${table} WHERE tenant = $tenant)`,
  now: SQLITE_NOW,
  isCurrent: isCurrent(SQLITE_NOW),
  boolean: "integer",
  greatest: "max",
  member: (json, name) => `json_type(${json}, '$.${name}')`,
  elements: (json, name, alias) => `json_each(${json}, '$.${name}') AS ${alias}`,
  elementText: (alias, name) => `${alias}.value ->> '${name}'`,
  elementIsTrue: (alias, name) => `${alias}.value ->> '${name}' IS 1`,
  // `instr` rules out most rows cheaply. It can find a name inside another one that contains quotes, so it does not decide.
  has: (column, parameter) =>
    `(instr(${column}, json_quote(${parameter})) AND EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${parameter}))`,
  forUpdate: "",
  lockMemories: [],
};

// A subquery, so that a statement reads it once, and can use an index.
const POSTGRES_NOW = `(SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;

const typed = (columns: Readonly<Record<string, string>>) =>
  Object.entries(columns).map(([name, type]) => `"${name}" ${type}`);

export const POSTGRES: Dialect = {
  name: "postgres",
  among: (column, parameter) => `${column} = ANY (${parameter})`,
  within: (column, query) => `${column} = ANY (ARRAY (${query}))`,
  oneOf: (table, _, condition, limit) =>
    `ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${limit}))`,
  list: (parameter) => `unnest(${parameter}::text[]) AS list (value)`,
  table: (parameter, columns, alias = "given") => {
    const names = Object.keys(columns).map((name) => `"${name}"`);
    return `ROWS FROM (json_to_recordset(${parameter}::json) AS (${typed(columns).join(", ")}))
      WITH ORDINALITY AS ${alias} (${names.join(", ")}, place)`;
  },
  given: (columns, textWith) => {
    const text = textWith(`json_to_recordset($1::json) AS given (${typed(columns).join(", ")})`);
    return (rows) => (rows.length === 0 ? [] : [{ text, values: [JSON.stringify(rows)] }]);
  },
  insert: (columns, into, values, { where = "true", tail = "" } = {}) => {
    const placed = (text: string) => text.replaceAll(/(?<!:):([a-z][a-zA-Z]*)/g, 'given."$1"');
    return POSTGRES.given(
      columns,
      (given) => `INSERT INTO ${into} SELECT ${placed(values)} FROM ${given} WHERE ${placed(where)} ${tail}`,
    );
  },
  next: (table, column) => `nextval('${table}_${column}')`,
  now: POSTGRES_NOW,
  isCurrent: isCurrent(POSTGRES_NOW),
  boolean: "boolean",
  greatest: "greatest",
  member: (json, name) => `${json}::json -> '${name}'`,
  elements: (json, name, alias) => `json_array_elements(${json}::json -> '${name}') AS ${alias}`,
  elementText: (alias, name) => `${alias} ->> '${name}'`,
  elementIsTrue: (alias, name) => `${alias} ->> '${name}' = 'true'`,
  has: (column, parameter) => `${parameter} = ANY (${column})`,
  forUpdate: "FOR UPDATE",
  lockMemories: [{ text: "SELECT 1 FROM counters WHERE tenant = $tenant AND name = 'memory' FOR UPDATE", values: [] }],
};
