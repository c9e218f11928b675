// What the two databases say differently when they create tables. All else of the schema is written once.
import { DIGESTED, DIGESTED_ROWS, type DigestedRow } from "#adapters/records/shared/database/row-digest.ts";

/** The parts of a statement that a database has its own words for. */
export interface SchemaDialect {
  readonly name: "sqlite" | "postgres";
  readonly text: string;
  readonly integer: string;
  readonly bytes: string;
  readonly names: string;
  /** A key that the database gives, each greater than all before, also than those that were removed. */
  readonly newKey: string;
  /** What the numbers of a column come from (`Dialect.next`), where that is not the table itself. */
  sequence(name: string): string;
  /** Its type. */
  flag(column: string): string;
  /** Ends a table: its rows are kept in the order of their numbers, or in that of their primary key. */
  readonly rows: string;
  readonly clustered: string;
  /** As `rows`, with as much of each page left free, in percent, for rows that change often. */
  free(percent: number, rows: string): string;
  /** The SHA-256 of these expressions, in hexadecimal digits. SQLite has none, so the process brings it (open.ts). */
  digest(fields: readonly string[]): string;
  /** 32 random bytes, in hexadecimal digits. */
  readonly random: string;
  /** The triggers that write the digest of each row, and count decisions. */
  readonly triggers: string;
  readonly statistics: string;
  sqlite(text: string): string;
  postgres(text: string): string;
}

/** What a column is, by its type. One that is `next` is numbered by `Dialect.next`. */
const typesIn = ({ text, integer, bytes, names, newKey, flag }: SchemaDialect, name: string) => ({
  text: `${text} NOT NULL`,
  integer: `${integer} NOT NULL`,
  next: `${integer} NOT NULL`,
  zero: `${integer} NOT NULL DEFAULT 0`,
  small: "integer NOT NULL",
  bytes: `${bytes} NOT NULL`,
  names: `${names} NOT NULL`,
  flag: `${flag(name)} NOT NULL`,
  off: `${flag(name)} NOT NULL DEFAULT false`,
  digest: `${text} NOT NULL DEFAULT ''`,
  key: newKey,
  id: `${text} PRIMARY KEY`,
  unique: `${text} NOT NULL UNIQUE`,
  number: `${integer} PRIMARY KEY`,
  single: `${integer} PRIMARY KEY CHECK (${name} = 1)`,
});

const TABLE = /TABLE (\w+): ([^;,]*?)(,[^;]*?)?(?:\s+STORED\s+([^;]*))?;/g;

/**
 * Writes `TABLE name: columns, constraints STORED how;` out as SQL. Columns are texts that are not null, unless they say
 * `name:integer` or `name?`. Those before `|` are the primary key. Where it is not said how, rows are kept in its order.
 */
export const withTables = (dialect: SchemaDialect, schema: string): string =>
  schema.replaceAll(TABLE, (_, table: string, columns: string, constraints = "", stored = dialect.clustered) => {
    const definitions = (columns.match(/[^\s|]+/g) ?? []).map((column) => {
      const [name = "", type = "text"] = column.replace("?", "").split(":");
      const definition = `${name} ${typesIn(dialect, name)[type as "text"]}`;
      return column.endsWith("?") ? definition.replace(" NOT NULL", "") : definition;
    });
    const [, numbered] = /(\w+):next/.exec(columns) ?? [];
    const [, key] = /^([^|]*) \|/.exec(columns) ?? [];
    if (key !== undefined) definitions.push(`PRIMARY KEY (${key.replaceAll(/:\w+/g, "").replaceAll(" ", ", ")})`);
    return `${numbered === undefined ? "" : dialect.sequence(`${table}_${numbered}`)}
  CREATE TABLE ${table} (
    ${definitions.join(",\n    ")}${constraints}
  ) ${stored};`;
  });

const sqliteDigest = (fields: readonly string[]): string => `row_digest(${fields.join(", ")})`;

function setDigest(kind: DigestedRow): string {
  const { table, fields } = DIGESTED[kind];
  return `UPDATE ${table} SET digest = ${sqliteDigest(fields("NEW"))} WHERE tenant = NEW.tenant AND sequence = NEW.sequence;`;
}

function digestOnInsert(kind: DigestedRow): string {
  const { table } = DIGESTED[kind];
  return `
    CREATE TRIGGER ${table}_digest AFTER INSERT ON ${table} WHEN NEW.digest = '' BEGIN ${setDigest(kind)} END;`;
}

// Without statistics SQLite takes a tenant for selective, and reads all of its rows. So each index is said to be: a
// tenant has many rows, and each further column leaves fewer. No row is counted for that, and no value sampled.
const SQLITE_STATISTICS = `
    ANALYZE;
    DELETE FROM sqlite_stat1;
    INSERT INTO sqlite_stat1 (tbl, idx, stat)
      SELECT tables.name, iif(origin = 'pk' AND tables.sql LIKE '%WITHOUT ROWID%', tables.name, indexes.name),
        CASE (SELECT count(*) FROM pragma_index_info(indexes.name))
          WHEN 1 THEN '1000000 1' WHEN 2 THEN '1000000 100000 ' || iif("unique", 1, 10)
          WHEN 3 THEN '1000000 100000 1000 ' || iif("unique", 1, 10) ELSE '1000000 100000 1000 10 1' END
      FROM sqlite_schema AS tables JOIN pragma_index_list(tables.name) AS indexes WHERE tables.type = 'table';
    ANALYZE sqlite_schema;`;

export const SQLITE: SchemaDialect = {
  name: "sqlite",
  text: "TEXT",
  integer: "INTEGER",
  bytes: "BLOB",
  names: "TEXT",
  newKey: "INTEGER PRIMARY KEY AUTOINCREMENT",
  sequence: () => "",
  flag: (column) => `INTEGER CHECK (${column} IN (0, 1))`,
  rows: "STRICT",
  clustered: "STRICT, WITHOUT ROWID",
  free: (_percent, rows) => rows,
  digest: sqliteDigest,
  random: "lower(hex(randomblob(32)))",
  triggers: `
    ${DIGESTED_ROWS.map(digestOnInsert).join("")}
    -- History that is forgotten becomes a tombstone.
    CREATE TRIGGER forgotten_again AFTER UPDATE OF cause ON forgotten
      WHEN OLD.cause = 'superseded' AND NEW.cause <> 'superseded' BEGIN ${setDigest("removal")} END;
    CREATE TRIGGER decisions_count AFTER INSERT ON decisions BEGIN
      UPDATE decision_counts SET recorded = recorded + 1 WHERE tenant = NEW.tenant AND part = 0;
    END;`,
  statistics: SQLITE_STATISTICS,
  sqlite: (text) => text,
  postgres: () => "",
};

const postgresDigest = (fields: readonly string[]): string =>
  `encode(sha256(convert_to(json_build_array(${fields.join(", ")})::text, 'UTF8')), 'hex')`;

// The schema is named, because a restore has another search path.
const trigger = (name: string, body: string): string => `
    CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql SET search_path = portcullis, pg_temp AS $$
      BEGIN ${body} END $$;`;

function digestBeforeInsert(kind: DigestedRow): string {
  const { table, fields } = DIGESTED[kind];
  return `${trigger(`${table}_digest`, `NEW.digest := ${postgresDigest(fields("NEW"))}; RETURN NEW;`)}
    CREATE TRIGGER digest BEFORE INSERT ON ${table} FOR EACH ROW EXECUTE FUNCTION ${table}_digest();`;
}

/** All text sorts by its bytes, so that pages and policies have the same order in every database. */
export const POSTGRES: SchemaDialect = {
  name: "postgres",
  text: 'text COLLATE "C"',
  integer: "bigint",
  bytes: "bytea",
  names: 'text[] COLLATE "C"',
  newKey: "bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY",
  sequence: (name) => `CREATE SEQUENCE ${name};`,
  flag: () => "boolean",
  rows: "",
  clustered: "",
  free: (percent) => `WITH (fillfactor = ${100 - percent})`,
  digest: postgresDigest,
  random: "encode(sha256(convert_to(concat(gen_random_uuid(), gen_random_uuid(), gen_random_uuid()), 'UTF8')), 'hex')",
  triggers: `
    ${DIGESTED_ROWS.map(digestBeforeInsert).join("")}
    -- History that is forgotten becomes a tombstone.
    CREATE TRIGGER digest_again BEFORE UPDATE OF cause ON forgotten FOR EACH ROW
      WHEN (OLD.cause = 'superseded' AND NEW.cause <> 'superseded') EXECUTE FUNCTION forgotten_digest();
    -- Each session counts in a part of its own, mostly, so that none waits for another's commit.
    ${trigger(
      "count_decisions",
      `INSERT INTO decision_counts AS counted
       SELECT tenant, pg_backend_pid() % 64, count(*) FROM added GROUP BY tenant
       ON CONFLICT (tenant, part) DO UPDATE SET recorded = counted.recorded + excluded.recorded; RETURN NULL;`,
    )}
    CREATE TRIGGER count AFTER INSERT ON decisions REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION count_decisions();`,
  // It makes its own.
  statistics: "",
  sqlite: () => "",
  postgres: (text) => text,
};
