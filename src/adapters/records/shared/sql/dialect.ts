// The differences between the SQL of SQLite and that of PostgreSQL, in one place.
import { getOrInsert } from "#core/collections/get-or-insert.ts";

/** `Row` is what its rows are read as. */
export interface Statement<Row = unknown> {
  /** One of a few fixed texts, prepared once and kept. `$1`, `$2` are the values, `$tenant` the tenant, `$now` is `NOW`. */
  readonly text: string;
  readonly values?: readonly unknown[];
  /** In place of `values`: SQLite runs the text once for each of the rows, PostgreSQL once for all, as JSON. */
  readonly given?: { readonly names: readonly string[]; readonly rows: readonly object[] };
  /** In place of a text: the statements of each database. */
  readonly choice?: Readonly<Record<DatabaseName, () => readonly Statement[]>>;
  /** The number that `$tenant` stands for. Only `forTenant` sets it. */
  readonly tenant?: number;
  /** In place of the row that the database returns. */
  readonly read?: ((row: never) => Row) | undefined;
}

/** A statement of this text, to be given its values. Pieces of SQL may stand in it. `read` is what becomes of a row. */
export const reading =
  <Row>(read?: (row: never) => Row) =>
  (texts: TemplateStringsArray, ...pieces: readonly (string | number)[]) => {
    const text = String.raw({ raw: texts }, ...pieces);
    return (...values: readonly unknown[]): Statement<Row> => ({ text, values, read });
  };

type Text = Parameters<ReturnType<typeof reading>>;
export const statement = <Row = unknown>(...text: Text) => reading<Row>()(...text);
/** Of rows with one column, its values. */
export const value = <Value>(...text: Text) => reading((row: object) => Object.values(row)[0] as Value)(...text);

/** Of rows with two columns, their values, as a Map takes them. */
export const entry = <Key, Value>(...text: Text) =>
  reading((row: object) => Object.values(row) as unknown as readonly [Key, Value])(...text);

/** The rows of each statement. */
export type RowsOf<Statements extends readonly Statement[]> = {
  readonly [Place in keyof Statements]: Statements[Place] extends Statement<infer Row> ? readonly Row[] : never;
};

export type DatabaseName = "sqlite" | "postgres";

/** For what the databases do by different statements. */
export const chosen = (choice: NonNullable<Statement["choice"]>): Statement => ({ text: "", choice });

export const resolved = (statements: readonly Statement[], name: DatabaseName): readonly Statement[] =>
  statements.flatMap((each) =>
    each.choice === undefined
      ? each
      : each.choice[name]().map((one) => (each.tenant === undefined ? one : { ...one, tenant: each.tenant })),
  );

// Fields of objects are named in a text, with a space between: `answerId` stands in the column answer_id, and
// `by=removed_by` in another one. They are texts, unless they say `count:bigint`.

const parsed = (fields: string) =>
  (fields.match(/\S+/g) ?? []).map((field) => {
    const [, name = "", column, type = "text"] = /^(\w+)(?:=(\w+))?(?::(.+))?$/.exec(field) ?? [];
    return { name, column: column ?? name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), type };
  });

/** The columns of these fields, under their names. */
export const columns = (fields: string, table?: string): string =>
  parsed(fields)
    .map(({ name, column }) =>
      `${table === undefined ? "" : `${table}.`}${column} AS "${name}"`.replace(/\b(\w+) AS "\1"/, "$1"),
    )
    .join(", ");

/** The columns of these fields, as the target of an insert. */
export const targets = (fields: string): string =>
  parsed(fields)
    .map(({ column }) => column)
    .join(", ");

// Texts hold a mark where the two say something different. Each database writes them out when it prepares a text.

const variants: { readonly sqlite: string; readonly postgres: string }[] = [];
const marks = new Map<string, string>();

/** A mark for what SQLite says like this, and PostgreSQL like that. */
export const either = (sqlite: string, postgres: string): string =>
  getOrInsert(marks, `${sqlite}\0${postgres}`, () => `«${variants.push({ sqlite, postgres }) - 1}»`);

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

/** The rows of a JSON array of objects, as a table `alias` with the fields, and the number of each as `place`. For reads. */
export function tableIn(parameter: string, fields: string, alias = "given"): string {
  const names = parsed(fields).map(({ name }) => name);
  return either(
    `(SELECT ${names.map((name) => `value ->> '${name}' AS "${name}"`).join(", ")}, key + 1 AS place FROM json_each(${parameter})) AS ${alias}`,
    `ROWS FROM (json_to_recordset(${parameter}::json) AS (${typed(fields)}))
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
  <Row extends object, Returned = unknown>(names: readonly string[], text: string) =>
  (rows: readonly Row[]): Statement<Returned>[] =>
    rows.length === 0 ? [] : [{ text, given: { names, rows } }];

const typed = (fields: string): string =>
  parsed(fields)
    .map(({ name, type }) => `"${name}" ${type}`)
    .join(", ");

const givenJson = (fields: string): string => `json_to_recordset($1::json) AS given (${typed(fields)})`;

/** `textWith` is given the SQL of a table `given`, which has the rows. */
export function forRows<Row extends object, Returned = unknown>(fields: string, textWith: (given: string) => string) {
  const names = parsed(fields).map(({ name }) => name);
  const row = `(SELECT ${names.map((name, i) => `$${i + 1} AS "${name}"`).join(", ")}) AS given`;
  return rowWise<Row, Returned>(names, either(textWith(row), textWith(givenJson(fields))));
}

interface InsertOptions {
  /** Columns with SQL for their values, which names fields as `:name`. */
  readonly values?: Readonly<Record<string, string>>;
  /** The table is not one of tenants. */
  readonly isShared?: boolean;
  /** Fields for these values alone. */
  readonly further?: string;
  readonly where?: string;
  /** Such as ON CONFLICT. */
  readonly tail?: string;
}

interface ReturningOptions<Returned> extends InsertOptions {
  /** As of a statement, what becomes of a row that `tail` returns. */
  readonly read?: (row: never) => Returned;
}

/** Inserts of these fields, for the tenant. */
export function insertRows<Row extends object>(table: string, fields: string, options: InsertOptions = {}) {
  const { where, tail = "", further = "" } = options;
  const { into, values, names } = insertion(table, fields, options);
  const source = placedIn(names, where === undefined ? `VALUES (${values})` : `SELECT ${values} WHERE ${where}`);
  const postgres = insertJson(`${fields} ${further}`, into, values, { ...(where && { where }), tail });
  return rowWise<Row>(names, either(`INSERT INTO ${into} ${source} ${tail}`, postgres));
}

/** The same for one object, which may have bytes. */
export function insertRow<Returned>(table: string, fields: string, options: ReturningOptions<Returned> = {}) {
  const { into, values, names } = insertion(table, fields, options);
  const text = `INSERT INTO ${into} VALUES (${placedIn(names, values)}) ${options.tail ?? ""}`;
  return (row: object): Statement<Returned> => {
    const given = row as Readonly<Record<string, unknown>>;
    return { text, values: names.map((name) => given[name]), read: options.read };
  };
}

function insertion(table: string, fields: string, { values: computed = {}, further = "", isShared }: InsertOptions) {
  const own = Object.fromEntries(parsed(fields).map(({ name, column }) => [column, `:${name}`]));
  const all = { ...(isShared ? {} : { tenant: "$tenant" }), ...own, ...computed };
  const names = parsed(`${fields} ${further}`).map(({ name }) => name);
  return { into: `${table} (${Object.keys(all).join(", ")})`, values: Object.values(all).join(", "), names };
}

/** The same for updates, where `set` and `where` name fields of a row as `:name`. */
export function updateRows<Row extends object>(fields: string, table: string, set: string, where: string) {
  const names = parsed(fields).map(({ name }) => name);
  return rowWise<Row>(
    names,
    either(
      placedIn(names, `UPDATE ${table} SET ${set} WHERE ${where}`),
      `UPDATE ${table} SET ${ofGiven(set)} FROM ${givenJson(fields)} WHERE ${ofGiven(where)}`,
    ),
  );
}

/** SQLite has the values in the text itself: a table of one row costs a third of the time of an insert, and more of an update. */
const placedIn = (names: readonly string[], text: string): string =>
  text.replaceAll(NAMED, (_, name) => `$${names.indexOf(name) + 1}`);
const ofGiven = (text: string): string => text.replaceAll(NAMED, 'given."$1"');
const NAMED = /(?<!:):([a-z]\w*)/g;

/** How PostgreSQL inserts rows. */
export const insertJson = (
  fields: string,
  into: string,
  values: string,
  { where = "true", tail = "" }: Pick<InsertOptions, "where" | "tail">,
): string => `INSERT INTO ${into} SELECT ${ofGiven(values)} FROM ${givenJson(fields)} WHERE ${ofGiven(where)} ${tail}`;
