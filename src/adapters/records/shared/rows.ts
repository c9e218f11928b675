// Row conversion: from the values that a database returns to those of the port. Lists are kept as JSON. SQLite has 0
// and 1 for booleans, and both databases have null for a field that is absent.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { type Details, type Memory, type MemoryOnRecord, type StoredDetails, storedDetails } from "#core/memory.ts";
import type { Page } from "#ports.ts";
import { columns, tableIn } from "./sql/dialect.ts";

type Present<Row> = { readonly [Column in keyof Row as null extends Row[Column] ? never : Column]: Row[Column] } & {
  readonly [Column in keyof Row as null extends Row[Column] ? Column : never]?: NonNullable<Row[Column]>;
};

/** What a row has of such an object: null for what is absent, and in SQLite 0 and 1 for a boolean. */
export type Stored<T> = {
  readonly [Field in keyof T]-?:
    | Exclude<T[Field], undefined>
    | (undefined extends T[Field] ? null : never)
    | (Exclude<T[Field], undefined> extends boolean ? number : never);
};

/** The columns that are not null. Not for what every request reads: it takes a microsecond. */
export function present<Row extends object>(row: Row): Present<Row> {
  const found: Partial<Row> = {};
  for (const column in row) if (row[column] !== null) found[column] = row[column];
  return found as unknown as Present<Row>;
}

/** What a row is read as: with booleans where SQLite has 0 and 1, lists out of their JSON, and without what is null. */
export const reader =
  <T>({ flags = [], json = [] }: { readonly flags?: readonly (keyof T)[]; readonly json?: readonly (keyof T)[] }) =>
  (row: object): T => {
    const read = present(row) as T;
    for (const column of flags) if (column in (read as object)) read[column] = Boolean(read[column]) as never;
    for (const column of json) if (column in (read as object)) read[column] = JSON.parse(read[column] as string);
    return read;
  };

/** `rows` are those of a page, and one more if there is another page, which begins after the position of the last one. */
export function cutPage<Row, Position>(rows: readonly Row[], limit: number, positionOf: (last: Row) => Position) {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, more: rows.length > limit && last !== undefined ? { next: positionOf(last) } : {} };
}

/** A page of such rows, as its list has this name. */
export async function pageOf<Name extends string, Row, Position, T = Row>(
  list: Name,
  rows: Promise<readonly Row[]>,
  limit: number,
  positionOf: (last: Row) => Position,
  read = (row: Row) => row as unknown as T,
) {
  const { page, more } = cutPage(await rows, limit, positionOf);
  return { [list]: page.map(read), ...more } as Page<Name, T, Position>;
}

/** The fields of a memory in its table. */
const MEMORY = `memoryId storeRef namespace content sourceAgent createdAt contentDigest`;
const OPTIONAL = `key=fact_key expiresAt supersedes encryptionKeyId wrappedKey factHash occurredAt metadata`;

export const MEMORY_COLUMNS = columns(`${MEMORY} pinned ${OPTIONAL}`);
export const SUPERSEDED_COLUMNS = `${MEMORY_COLUMNS.replace("pinned", "FALSE AS pinned")}, ${columns("supersededBy")}`;

/** SQL of both tables of memories: those that are current, and history. */
export const inBoth = (query: (table: string, isCurrent: boolean) => string): string =>
  `${query("memories", true)} UNION ALL ${query("superseded_memories", false)}`;

/** SQL: whether the tenant has such a memory, current or history. */
export const hasMemory = (condition: string): string =>
  `EXISTS (${inBoth((table) => `SELECT 1 FROM ${table} WHERE tenant = $tenant AND ${condition}`)})`;

export type Named = Required<Pick<MemoryOnRecord, "namespace" | "sourceAgent" | "key">>;

/** The keys of these memories, of those that have one. */
export const namedOf = (memories: readonly MemoryOnRecord[]): Named[] =>
  memories.flatMap(({ namespace, sourceAgent, key }) => (key === undefined ? [] : { namespace, sourceAgent, key }));

/** SQL: the current memories of such keys, which are JSON. */
export const memoriesNamedIn = (parameter: string): string => `
  ${tableIn(parameter, "namespace sourceAgent key", "named")} JOIN memories
  ON tenant = $tenant AND memories.namespace = named.namespace AND source_agent = "sourceAgent" AND fact_key = named.key`;

/** What decides who may remove a memory. */
export const REMOVABLE = columns("memoryId namespace sourceAgent storeRef");

/** What is counted of the answers of each hour. */
const HOUR = ["answers", "used", "verified", "intact", "broken_off"];
export const HOUR_SUMS = HOUR.map((column) => `CAST(sum(${column}) AS bigint) AS ${column}`)
  .join(", ")
  .replace("AS broken_off", 'AS "brokenOff"');
export const ADDED_TO_HOUR = HOUR.map((column) => `${column} = hours.${column} + excluded.${column}`).join(", ");

/** What a memory counts for the quota of text. */
export const TEXT_BYTES = "octet_length(content) + coalesce(octet_length(metadata), 0)";

type Optional = "key" | "expiresAt" | "supersedes" | keyof Details;

export interface MemoryRow extends Omit<Memory, Optional | "pinned" | "encrypted" | "supersededBy">, StoredDetails {
  readonly pinned: number | boolean;
  readonly key: string | null;
  readonly expiresAt: string | null;
  readonly supersedes: string | null;
  readonly encryptionKeyId: string | null;
  readonly wrappedKey: string | null;
  readonly factHash: string;
  readonly supersededBy?: string | null;
}

export function toMemory(row: MemoryRow): MemoryOnRecord {
  const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, supersededBy } = row;
  const { key, expiresAt, supersedes, encryptionKeyId, wrappedKey, factHash } = row;
  const memory = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  return {
    ...memory,
    ...storedDetails(row),
    ...(row.pinned && { pinned: true }),
    ...(key !== null && { key }),
    ...(expiresAt !== null && { expiresAt }),
    ...(supersedes !== null && { supersedes }),
    ...(typeof supersededBy === "string" && { supersededBy }),
    ...(encryptionKeyId !== null &&
      wrappedKey !== null && { encryption: { keyId: encryptionKeyId, wrappedKey, factHash } }),
  };
}

/** The fields of a memory that is given to a statement. */
export const GIVEN_MEMORY = `${MEMORY} ${OPTIONAL}`;

export type GivenMemory = ReturnType<typeof toGiven>;

export function toGiven({ encryption, ...memory }: MemoryOnRecord) {
  const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest } = memory;
  const { key, expiresAt, supersedes } = memory;
  const always = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  const { keyId: encryptionKeyId, wrappedKey, factHash = contentDigest } = encryption ?? {};
  // An encrypted one has them in its ciphertext.
  const { occurredAt, metadata }: Details = encryption === undefined ? memory : {};
  const details = { occurredAt, metadata: metadata && canonicalJson(metadata) };
  return { ...always, key, expiresAt, supersedes, encryptionKeyId, wrappedKey, factHash, ...details };
}

export type SequencedMemory = MemoryRow & { readonly sequence: number };
