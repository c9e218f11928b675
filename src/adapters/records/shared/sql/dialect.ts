// The differences between the SQL of SQLite and that of PostgreSQL, in one place.
import type { Words } from "#core/encoding/words.ts";

export interface Statement {
  /** One of a few fixed texts, prepared once and kept. `$1`, `$2` are the values, `$tenant` the tenant, `$now` is `NOW`. */
  readonly text: string;
  readonly values?: readonly unknown[];
  /** In place of `values`: SQLite runs the text once for each of the rows, PostgreSQL once for all, as JSON. */
  readonly given?: { readonly names: readonly string[]; readonly rows: readonly object[] };
  /** In place of a text: the statements of each database. */
  readonly choice?: Readonly<Record<DatabaseName, () => readonly Statement[]>>;
  /** The number that `$tenant` stands for. Only `forTenant` sets it. */
  readonly tenant?: number;
}

export type DatabaseName = "sqlite" | "postgres";

/** For what the databases do by different statements. */
export const chosen = (choice: NonNullable<Statement["choice"]>): Statement => ({ text: "", choice });

export const resolved = (statements: readonly Statement[], name: DatabaseName): readonly Statement[] =>
  statements.flatMap((each) =>
    each.choice === undefined
      ? each
      : each.choice[name]().map((one) => (each.tenant === undefined ? one : { ...one, tenant: each.tenant })),
  );

/** The columns of rows that are given to a statement, with their types in PostgreSQL. */
export type Columns<Row> = { readonly [Column in keyof Row & string]-?: "text" | "bigint" | "boolean" | "text[]" };

/** Columns of this type, by their names with a space between. */
export const columnsOf = <const Type extends string, const Names extends string>(type: Type, names: Names) =>
  Object.fromEntries(names.split(" ").map((name) => [name, type])) as Readonly<Record<Words<Names>, Type>>;

// Texts hold a mark where the two say something different. Each database writes them out when it prepares a text.

const variants: { readonly sqlite: string; readonly postgres: string }[] = [];
const marks = new Map<string, string>();

/** A mark for what SQLite says like this, and PostgreSQL like that. */
export function either(sqlite: string, postgres: string): string {
  const key = `${sqlite}\0${postgres}`;
  const mark = marks.get(key) ?? `«${variants.push({ sqlite, postgres }) - 1}»`;
  marks.set(key, mark);
  return mark;
}

export const writtenOut = (text: string, name: DatabaseName): string =>
  text.replaceAll(/«(\d+)»/g, (_, mark) => writtenOut(variants[mark]?.[name] ?? "", name));

export const among = (column: string, parameter: string): string =>
  either(`${column} IN (SELECT value FROM json_each(${parameter}))`, `${column} = ANY (${parameter})`);

/** Whether `column` is one of the rows of a query, which PostgreSQL runs once, whatever it thinks of their number. */
export const within = (column: string, query: string): string =>
  either(`${column} IN (${query})`, `${column} = ANY (ARRAY (${query}))`);

/** Whether a row of a table is one of the first that meet a condition. `key` has the columns of the table's key. */
export const oneOf = (table: string, key: string, condition: string, limit: number): string =>
  either(
    `(${key}) IN (SELECT ${key} FROM ${table} WHERE ${condition} LIMIT ${limit})`,
    `ctid = ANY (ARRAY (SELECT ctid FROM ${table} WHERE ${condition} LIMIT ${limit}))`,
  );

/** The values of an array of texts, as a table with the column `value`. */
export const listIn = (parameter: string): string =>
  either(`(SELECT value FROM json_each(${parameter})) AS list`, `unnest(${parameter}::text[]) AS list (value)`);

/** The rows of a JSON array of objects, as a table `alias` with the number of each as `place`. For reads. */
export function tableIn<Row>(parameter: string, columns: Columns<Row>, alias = "given"): string {
  const names = Object.keys(columns);
  const fields = names.map((name) => `value ->> '${name}' AS "${name}"`).join(", ");
  return either(
    `(SELECT ${fields}, key + 1 AS place FROM json_each(${parameter})) AS ${alias}`,
    `ROWS FROM (json_to_recordset(${parameter}::json) AS (${typed(columns)}))
      WITH ORDINALITY AS ${alias} (${names.map((name) => `"${name}"`).join(", ")}, place)`,
  );
}

/** The next number of a table's column `sequence`, `id` or `number`. In PostgreSQL the tenants share a sequence. */
export const nextIn = (table: string, column: string): string =>
  either(
    `(SELECT coalesce(max(${column}), 0) + 1 FROM ${table} WHERE tenant = $tenant)`,
    `nextval('${table}_${column}')`,
  );

/** A subquery, so that a statement reads it once, and can use an index. */
export const POSTGRES_NOW = `(SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))`;
/** The time by which memories expire: that of PostgreSQL's server, so that all replicas agree. SQLite is given ours. */
export const NOW = either("$now", POSTGRES_NOW);
/** Of a memory, whether its time is not over. */
export const IS_CURRENT = `(expires_at IS NULL OR expires_at > ${NOW})`;

/** A member of a JSON object that is kept as text; NULL if there is none. */
export const member = (json: string, name: string): string =>
  either(`json_type(${json}, '$.${name}')`, `${json}::json -> '${name}'`);

/** The elements of an array in such an object, as a table `alias`, the text of a member of one, and whether it is true. */
export const elements = (json: string, name: string, alias: string): string =>
  either(`json_each(${json}, '$.${name}') AS ${alias}`, `json_array_elements(${json}::json -> '${name}') AS ${alias}`);
export const elementText = (alias: string, name: string): string =>
  either(`${alias}.value ->> '${name}'`, `${alias} ->> '${name}'`);
export const elementIsTrue = (alias: string, name: string): string =>
  either(`${alias}.value ->> '${name}' IS 1`, `${alias} ->> '${name}' = 'true'`);

/**
 * Whether a list of names has one. `instr` rules out most rows cheaply. It can find a name inside another one that contains
 * quotes, so it does not decide.
 */
export const has = (column: string, parameter: string): string =>
  either(
    `(instr(${column}, json_quote(${parameter})) AND EXISTS (SELECT 1 FROM json_each(${column}) WHERE value = ${parameter}))`,
    `${parameter} = ANY (${column})`,
  );

/** After a SELECT: others wait with changes of these rows until the transaction ends. SQLite has one writer at a time. */
export const FOR_UPDATE = either("", "FOR UPDATE");

/** Before memories are read: nobody else adds, forgets or pins one until the transaction ends. */
export const LOCK_MEMORIES = chosen({
  sqlite: () => [],
  postgres: () => [
    { text: "SELECT 1 FROM counters WHERE tenant = $tenant AND name = 'memory' FOR UPDATE", values: [] },
  ],
});

/** Statements that write rows. In SQLite `$1`, `$2` are the values of these names. No statement when there are no rows. */
export const rowWise =
  <Row extends object>(names: readonly string[], text: string) =>
  (rows: readonly Row[]): Statement[] =>
    rows.length === 0 ? [] : [{ text, given: { names, rows } }];

const typed = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, type]) => `"${name}" ${type}`)
    .join(", ");

const givenJson = (columns: Readonly<Record<string, string>>): string =>
  `json_to_recordset($1::json) AS given (${typed(columns)})`;

/** `textWith` is given the SQL of a table `given`, which has the rows. */
export function forRows<Row extends object>(columns: Columns<Row>, textWith: (given: string) => string) {
  const names = Object.keys(columns);
  const row = `(SELECT ${names.map((name, i) => `$${i + 1} AS "${name}"`).join(", ")}) AS given`;
  return rowWise<Row>(names, either(textWith(row), textWith(givenJson(columns))));
}

interface InsertOptions {
  readonly where?: string;
  /** Such as ON CONFLICT. */
  readonly tail?: string;
}

/** The same for inserts. `values` and `where` name columns of a row as `:name`. */
export function insertRows<Row extends object>(
  columns: Columns<Row>,
  into: string,
  values: string,
  { where, tail = "" }: InsertOptions = {},
) {
  const names = Object.keys(columns).filter((name) => new RegExp(`:${name}\\b`).test(`${values} ${where}`));
  const source = placedIn(names, where === undefined ? `VALUES (${values})` : `SELECT ${values} WHERE ${where}`);
  return rowWise<Row>(
    names,
    either(
      `INSERT INTO ${into} ${source} ${tail}`,
      insertJson(columns, into, values, { ...(where && { where }), tail }),
    ),
  );
}

/** The same for updates, where `set` and `where` name columns of a row as `:name`. */
export function updateRows<Row extends object>(columns: Columns<Row>, table: string, set: string, where: string) {
  const names = Object.keys(columns);
  return rowWise<Row>(
    names,
    either(
      placedIn(names, `UPDATE ${table} SET ${set} WHERE ${where}`),
      `UPDATE ${table} SET ${ofGiven(set)} FROM ${givenJson(columns)} WHERE ${ofGiven(where)}`,
    ),
  );
}

/** SQLite has the values in the text itself: a table of one row costs a third of the time of an insert, and more of an update. */
const placedIn = (names: readonly string[], text: string): string =>
  text.replaceAll(NAMED, (_, name) => `$${names.indexOf(name) + 1}`);
const ofGiven = (text: string): string => text.replaceAll(NAMED, 'given."$1"');
const NAMED = /(?<!:):([a-z]\w*)/g;

/** How PostgreSQL inserts rows. */
export function insertJson<Row>(
  columns: Columns<Row>,
  into: string,
  values: string,
  { where = "true", tail = "" }: InsertOptions,
): string {
  return `INSERT INTO ${into} SELECT ${ofGiven(values)} FROM ${givenJson(columns)} WHERE ${ofGiven(where)} ${tail}`;
}
