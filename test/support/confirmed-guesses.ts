// What a copy of a database confirms: somebody guesses a text, derives digests of it in every way that the service does,
// plain, keyed and salted with whatever the copy holds, and looks for them in every column of every table.
import { createHash, createHmac } from "node:crypto";
import { DatabaseSync } from "node:sqlite";
import { blake2b } from "@noble/hashes/blake2.js";
import { sortedJson } from "./reference-encoding.ts";

/** A column, and one value in it. */
type Cell = readonly [column: string, value: unknown];

type RunQuery = (text: string) => Promise<Record<string, unknown>[]>;

/** Every value of every table, found by the catalogue of the database. */
export async function cellsOfPostgres(run: RunQuery): Promise<Cell[]> {
  const tables = await run(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_schema NOT IN ('pg_catalog', 'information_schema') AND table_type = 'BASE TABLE'`,
  );
  const cells: Cell[] = [];
  for (const { name } of tables) cells.push(...cellsIn(String(name), await run(`SELECT * FROM ${name}`)));
  return cells;
}

export function cellsOfSqlite(path: string): Cell[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    return tables.flatMap(({ name }) => {
      const statement = database.prepare(`SELECT * FROM "${name}"`);
      statement.setReadBigInts(true);
      return cellsIn(String(name), statement.all());
    });
  } finally {
    database.close();
  }
}

const cellsIn = (table: string, rows: readonly Record<string, unknown>[]): Cell[] =>
  rows.flatMap((row) =>
    Object.entries(row).map(([column, value]): Cell => [`${table.replace(/^\w+\./, "")}.${column}`, value]),
  );

/** As much of a digest as is compared: one that is kept in part is found, too. */
const COMPARED = 16;
const TOKENS = [/[0-9a-f]{32,}/gi, /[\w-]{22,}/g, /[A-Za-z0-9+/]{22,}={0,2}/g];

/** What may be a digest or a secret: bytes, and tokens of texts in hex or base64. */
function bytesIn(value: unknown): Buffer[] {
  if (value instanceof Uint8Array) return [Buffer.from(value)];
  // PostgreSQL gives JSON parsed.
  const text = typeof value === "object" ? JSON.stringify(value) : value;
  if (typeof text !== "string") return [];
  return TOKENS.flatMap((token, i) =>
    (text.match(token) ?? []).map((found) => Buffer.from(found, i === 0 ? "hex" : "base64")),
  );
}

const [SECRET_FEWEST, SECRET_MOST] = [16, 64];

interface Copy {
  /** By their first bytes: in which columns they are. */
  readonly columns: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whatever may be one: seeds, salts, digests and ids among them. */
  readonly secrets: readonly Buffer[];
  /** Those that are kept as secrets. */
  readonly keys: readonly Uint8Array[];
  /** Ids of requests, which are hex. */
  readonly ids: readonly string[];
}

function read(cells: readonly Cell[]): Copy {
  const columns = new Map<string, Set<string>>();
  const secrets = new Map<string, Buffer>();
  const ids = new Set<string>();
  for (const [column, value] of cells) {
    if (typeof value === "string" && /^[0-9a-f]{64}$/.test(value)) ids.add(value);
    for (const bytes of bytesIn(value)) {
      if (bytes.length >= SECRET_FEWEST && bytes.length <= SECRET_MOST) secrets.set(bytes.toString("hex"), bytes);
      // Inside of bytes a digest may begin anywhere.
      const last = value instanceof Uint8Array ? bytes.length - COMPARED : 0;
      for (let at = 0; at <= last && at + COMPARED <= bytes.length; at++) {
        const key = bytes.toString("hex", at, at + COMPARED);
        columns.set(key, (columns.get(key) ?? new Set()).add(column));
      }
    }
  }
  const keys = cells.flatMap(([column, value]) => (column === "kept.value" ? [value as Uint8Array] : []));
  return { columns, secrets: [...secrets.values()], keys, ids: [...ids] };
}

/** What follows from a guess. */
export interface Guess {
  /** What may have been hashed: texts as they are, and values as canonical JSON. */
  readonly values: readonly unknown[];
  /** What of a request may have been hashed, alone or in a list after the id of another digest. */
  readonly requests: readonly unknown[];
  /** What a receipt may have committed to, by path. */
  readonly committed: Readonly<Record<string, unknown>>;
}

const COMMIT = Buffer.from("portcullis/commit/v2\0");
const blake2b256 = (bytes: Uint8Array, key?: Uint8Array) => blake2b(bytes, { dkLen: 32, ...(key && { key }) });

function* digestsOf({ values, requests, committed }: Guess, { secrets, keys, ids }: Copy): Generator<Uint8Array> {
  const texts = values.flatMap((value) => [sortedJson(value), ...(typeof value === "string" ? [value] : [])]);
  for (const text of texts) {
    const bytes = Buffer.from(text);
    yield blake2b256(bytes);
    for (const algorithm of ["sha256", "sha512", "sha1", "md5"]) yield createHash(algorithm).update(bytes).digest();
    for (const secret of secrets) {
      yield createHmac("sha256", secret).update(bytes).digest();
      yield blake2b256(bytes, secret);
      yield blake2b256(Buffer.concat([secret, bytes]));
      yield createHash("sha256").update(secret).update(bytes).digest();
    }
  }
  for (const request of requests)
    for (const hashed of [request, ...ids.map((id) => [id, request])]) {
      const bytes = Buffer.from(sortedJson(hashed));
      for (const key of keys) yield createHmac("sha256", key).update(bytes).digest();
    }
  for (const [path, value] of Object.entries(committed)) {
    const json = Buffer.from(sortedJson(value));
    for (const secret of secrets.filter(({ length }) => length === 32))
      for (const salt of [secret, blake2b256(Buffer.from(path), secret)])
        yield blake2b256(Buffer.concat([COMMIT, salt, json]));
  }
}

/** For each guess the columns that confirm it. */
export function confirmations(cells: readonly Cell[]): (guess: Guess) => string[] {
  const copy = read(cells);
  return (guess) => {
    const found = new Set<string>();
    for (const digest of digestsOf(guess, copy))
      for (const column of copy.columns.get(Buffer.from(digest).toString("hex", 0, COMPARED)) ?? []) found.add(column);
    return [...found].sort();
  };
}
