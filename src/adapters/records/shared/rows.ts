// Row conversion: from the values that a database returns to those of the port. Lists are kept as JSON. SQLite has 0
// and 1 for booleans, and both databases have null for a field that is absent.
import type { Memory } from "#core/memory.ts";
import type {
  BlobLease,
  ChainAnchor,
  LoggedTransaction,
  MemoryOnRecord,
  PendingChainAnchor,
  Pin,
  SignedTransaction,
} from "#ports.ts";
import { UNLIMITED } from "./paging.ts";

/** The columns of a memory under the names of its fields. */
export const MEMORY_COLUMNS = `memory_id AS "memoryId", store_ref AS "storeRef", namespace, content,
  source_agent AS "sourceAgent", created_at AS "createdAt", content_digest AS "contentDigest", pinned,
  fact_key AS "key", expires_at AS "expiresAt", supersedes, seal_key_id AS "sealKeyId", wrapped_key AS "wrappedKey",
  fact_hash AS "factHash"`;

/** The same of a superseded one. */
export const SUPERSEDED_COLUMNS = `${MEMORY_COLUMNS.replace("pinned", "FALSE AS pinned")}, superseded_by AS "supersededBy"`;

/** What decides who may remove a memory. */
export const REMOVABLE = `memory_id AS "memoryId", namespace, source_agent AS "sourceAgent", store_ref AS "storeRef"`;

type Optional = "key" | "expiresAt" | "supersedes";

export interface MemoryRow extends Omit<Memory, Optional | "pinned" | "sealed" | "supersededBy"> {
  readonly pinned: number | boolean;
  readonly key: string | null;
  readonly expiresAt: string | null;
  readonly supersedes: string | null;
  readonly sealKeyId: string | null;
  readonly wrappedKey: string | null;
  readonly factHash: string;
  readonly supersededBy?: string;
}

export function toMemory(row: MemoryRow): MemoryOnRecord {
  const { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest, supersededBy } = row;
  const { key, expiresAt, supersedes, sealKeyId, wrappedKey, factHash } = row;
  const memory = { memoryId, storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
  return {
    ...memory,
    ...(row.pinned && { pinned: true }),
    ...(key !== null && { key }),
    ...(expiresAt !== null && { expiresAt }),
    ...(supersedes !== null && { supersedes }),
    ...(supersededBy !== undefined && { supersededBy }),
    ...(sealKeyId !== null && wrappedKey !== null && { seal: { keyId: sealKeyId, wrappedKey, factHash } }),
  };
}

/** The values of a memory's columns that not every memory has. */
export function optionalColumns({ key, expiresAt, supersedes, seal, contentDigest }: MemoryOnRecord) {
  return {
    key: key ?? null,
    expiresAt: expiresAt ?? null,
    supersedes: supersedes ?? null,
    sealKeyId: seal?.keyId ?? null,
    wrappedKey: seal?.wrappedKey ?? null,
    factHash: seal?.factHash ?? contentDigest,
  };
}

/** What finds the same fact again. */
export const factHashOf = ({ seal, contentDigest }: MemoryOnRecord): string => seal?.factHash ?? contentDigest;

/** The pins of memories that are recorded together. They belong to the seed, and no limit counts. */
export function pinsOf(memories: readonly Memory[]): Pin[] {
  return memories.flatMap(({ memoryId, pinned }) => (pinned ? [{ memoryId, pinned, limit: UNLIMITED }] : []));
}

export type SequencedMemory = MemoryRow & { readonly sequence: number };

export function bySequence(rows: readonly SequencedMemory[]): ReadonlyMap<number, MemoryOnRecord> {
  return new Map(rows.map((row) => [Number(row.sequence), toMemory(row)]));
}

type Json<T, Key extends keyof T> = Omit<T, Key> & Readonly<Record<Key, string>>;
type Flags<T, Key extends keyof T> = Omit<T, Key> & Readonly<Record<Key, number | boolean>>;

export type PendingRow = Omit<Json<PendingChainAnchor, "claimed">, "policyVersion"> & {
  /** Null is the newest one. */
  readonly policyVersion: number | null;
};

export function toPending(row: PendingRow): PendingChainAnchor {
  return { ...row, claimed: JSON.parse(row.claimed), policyVersion: row.policyVersion ?? "newest" };
}

export type ChainAnchorRow = Flags<Json<ChainAnchor, "claimed">, "allAuthorized">;

export function toChainAnchor(row: ChainAnchorRow | undefined): ChainAnchor | undefined {
  if (row === undefined) return undefined;
  return { ...row, claimed: JSON.parse(row.claimed), allAuthorized: Boolean(row.allAuthorized) };
}

export type SignedRow = Json<SignedTransaction, "requests">;
export const toSigned = (row: SignedRow): SignedTransaction => ({ ...row, requests: JSON.parse(row.requests) });

export type LogRow = Json<LoggedTransaction, "signatures">;
export const toLogged = (row: LogRow): LoggedTransaction => ({ ...row, signatures: JSON.parse(row.signatures) });

/** The columns of a lease under the names of its fields. */
export const LEASE_COLUMNS = `blob_id AS "blobId", end_epoch AS "endEpoch", object_id AS "objectId",
  stored_at AS "storedAt", ends_at AS "endsAt"`;

export type LeaseRow = Pick<BlobLease, "blobId" | "storedAt"> & {
  readonly [Field in "endEpoch" | "objectId" | "endsAt"]: BlobLease[Field] | null;
};

export function toLease({ blobId, storedAt, endEpoch, objectId, endsAt }: LeaseRow): BlobLease {
  return {
    blobId,
    storedAt,
    ...(typeof endEpoch === "number" && { endEpoch }),
    ...(typeof objectId === "string" && { objectId }),
    ...(typeof endsAt === "string" && { endsAt }),
  };
}

export interface CountRow {
  readonly name: string;
  readonly count: number;
}

/** How many source agents the counts of memories name. */
export const SOURCE_AGENTS_COUNTED = 1_000;

export const toCounts = (rows: readonly CountRow[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ name, count }) => [name, count]));
