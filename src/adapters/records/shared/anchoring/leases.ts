// Leases of blobs. A blob that several records share has one.
import * as sql from "#adapters/records/shared/sql.ts";
import { type Fact, factText, type StoredDetails, storedFact } from "#core/memory.ts";
import type { BlobLease, BlobText, BlobTexts, LeaseRecords } from "#ports.ts";

const LEASE = "blobId endEpoch:bigint objectId storedAt endsAt";
/** No memory and no anchor has the blob. */
export const IS_STRAY = `NOT ${sql.hasMemory("store_ref = blob_leases.blob_id")}
  AND NOT EXISTS (SELECT 1 FROM anchors WHERE tenant = $tenant AND anchors.blob_id = blob_leases.blob_id)`;
const FIND_ALL = sql.reading(sql.reader<BlobLease>({}))`
  SELECT ${sql.columns(LEASE)} FROM blob_leases WHERE tenant = $tenant AND ${sql.among("blob_id", "$1")}`;
const FIRST_END = sql.value<string>`
  SELECT ends_at FROM blob_leases WHERE tenant = $tenant AND is_published AND ends_at IS NOT NULL ORDER BY ends_at LIMIT 1`;

const put = (where: string) =>
  sql.insertRows<BlobLease>("blob_leases", LEASE, {
    values: {
      is_published: `EXISTS (SELECT 1 FROM published WHERE tenant = $tenant AND published.id = :blobId AND kind = 'blob')`,
    },
    where,
    tail: `ON CONFLICT (tenant, blob_id) DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
      stored_at = excluded.stored_at, ends_at = excluded.ends_at`,
  });
const [putAny, putOfMemories] = [put("true"), put(sql.hasMemory("store_ref = :blobId"))];
const DROP_STRAY = sql.statement`
  DELETE FROM blob_leases WHERE tenant = $tenant AND ${sql.among("blob_id", "$1")} AND ${IS_STRAY}`;
const MARK = sql.statement`
  UPDATE blob_leases SET is_published = true WHERE tenant = $tenant AND blob_id IN (
    SELECT blob_id FROM blob_leases WHERE tenant = $tenant AND ${sql.among("blob_id", "$1")} AND NOT is_published
    ORDER BY blob_id ${sql.FOR_UPDATE})`;

export const leaseStatements = {
  put: (leases: readonly BlobLease[]) => putAny(latest(leases)),
  /** Of captures, after the memories are recorded. Leases of blobs that no memory refers to are left out. */
  putOfMemories: (leases: readonly BlobLease[]) => putOfMemories(latest(leases)),
  /** These blobs are ones that proofs need from now on. */
  markPublished: (blobIds: readonly string[]): sql.Statement => MARK(blobIds),
  /** Of these blobs, those that no memory and no anchor has any more are not renewed. */
  dropStray: (blobIds: readonly string[]): sql.Statement => DROP_STRAY(blobIds),
  dropAllStray: sql.statement`DELETE FROM blob_leases WHERE tenant = $tenant AND ${IS_STRAY}`,
};

/** The last one given of each blob. Always in this order: transactions that lock rows in different ones would deadlock. */
function latest(leases: readonly BlobLease[]): BlobLease[] {
  const byBlob = new Map(leases.map((lease) => [lease.blobId, lease]));
  return [...byBlob.values()].toSorted((a, b) => (a.blobId < b.blobId ? -1 : 1));
}

export function leaseRecords({ rows, row, write }: sql.Database): LeaseRecords {
  return {
    put: (lease) => write(...leaseStatements.put([lease]), leaseStatements.dropStray([lease.blobId])),
    find: (blobId) => row(FIND_ALL([blobId])),
    findAll: (blobIds) => rows(FIND_ALL(blobIds)),
    firstEndOfPublished: () => row(FIRST_END()),
  };
}

// What blobs were made of, from the rows of memories and anchors.

/** Of the memories that have the blob, the one that expires last. */
const FIND_BLOB_TEXT = sql.reading(toBlobText)`
  SELECT * FROM (
    ${sql.inBoth(
      (table) => `
        SELECT ${sql.columns("content namespace sourceAgent encryptionKeyId memoryId expiresAt occurredAt metadata")}, NULL AS body
        FROM ${table} WHERE tenant = $tenant AND store_ref = $1`,
    )}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, body FROM anchors WHERE tenant = $tenant AND blob_id = $1
  ) AS found ORDER BY "expiresAt" DESC NULLS FIRST LIMIT 1`;

const COUNT_BLOBS = sql.value<number>`
  SELECT (SELECT count(*) FROM memories WHERE tenant = $tenant)
    + (SELECT count(*) FROM superseded_memories WHERE tenant = $tenant)
    + (SELECT count(*) FROM anchors WHERE tenant = $tenant)`;

/** A blob was made of a memory's fact, of an encrypted one, or of an anchored receipt. */
type BlobTextRow =
  | (Omit<Fact, keyof StoredDetails> &
      StoredDetails &
      Pick<sql.MemoryRow, "encryptionKeyId" | "memoryId" | "expiresAt">)
  | { readonly content: null; readonly body: string };

function toBlobText(row: BlobTextRow): BlobText {
  if (row.content === null) return { text: row.body };
  const text = row.encryptionKeyId === null ? factText(storedFact(row)) : row.content;
  const { namespace, memoryId, expiresAt } = row;
  return { text, namespace, memoryId, ...(expiresAt !== null && { expiresAt }) };
}

export function blobTexts({ row }: sql.Database): BlobTexts {
  return { find: (blobId) => row(FIND_BLOB_TEXT(blobId)), count: async () => (await row(COUNT_BLOBS())) ?? 0 };
}
