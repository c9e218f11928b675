// Leases of blobs. A blob that several records share has one.

import { present } from "#adapters/records/shared/rows.ts";
import type { Database, Statement } from "#adapters/records/shared/sql/database.ts";
import { among, FOR_UPDATE, insertRows } from "#adapters/records/shared/sql/dialect.ts";
import type { StoredDetails } from "#core/memories/details.ts";
import { type Fact, factText, storedFact } from "#core/memory.ts";
import type { BlobLease, BlobText, BlobTexts, LeaseRecords } from "#ports.ts";

const LEASE_COLUMNS = `blob_id AS "blobId", end_epoch AS "endEpoch", object_id AS "objectId",
  stored_at AS "storedAt", ends_at AS "endsAt"`;
const IS_STRAY = `NOT EXISTS (SELECT 1 FROM memories WHERE tenant = $tenant AND store_ref = blob_leases.blob_id)
  AND NOT EXISTS (SELECT 1 FROM superseded_memories WHERE tenant = $tenant AND store_ref = blob_leases.blob_id)
  AND NOT EXISTS (SELECT 1 FROM anchors WHERE tenant = $tenant AND anchors.blob_id = blob_leases.blob_id)`;
const FIND_ALL = `SELECT ${LEASE_COLUMNS} FROM blob_leases WHERE tenant = $tenant AND ${among("blob_id", "$1")}`;
const HAS_MEMORY = `EXISTS (SELECT 1 FROM memories WHERE tenant = $tenant AND store_ref = :blobId)
  OR EXISTS (SELECT 1 FROM superseded_memories WHERE tenant = $tenant AND store_ref = :blobId)`;
const FIRST_END = `
  SELECT ends_at AS "endsAt" FROM blob_leases WHERE tenant = $tenant AND is_published AND ends_at IS NOT NULL
  ORDER BY ends_at LIMIT 1`;

const put = (where: string) =>
  insertRows<BlobLease>(
    { blobId: "text", endEpoch: "bigint", objectId: "text", storedAt: "text", endsAt: "text" },
    "blob_leases (tenant, blob_id, end_epoch, object_id, stored_at, ends_at, is_published)",
    `$tenant, :blobId, :endEpoch, :objectId, :storedAt, :endsAt,
      EXISTS (SELECT 1 FROM published WHERE tenant = $tenant AND published.id = :blobId AND kind = 'blob')`,
    {
      where,
      tail: `ON CONFLICT (tenant, blob_id) DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
        stored_at = excluded.stored_at, ends_at = excluded.ends_at`,
    },
  );
const [putAny, putOfMemories] = [put("true"), put(HAS_MEMORY)];
const DROP_STRAY = `
  DELETE FROM blob_leases WHERE tenant = $tenant AND ${among("blob_id", "$1")} AND ${IS_STRAY}`;
const MARK = `
  UPDATE blob_leases SET is_published = true WHERE tenant = $tenant AND blob_id IN (
    SELECT blob_id FROM blob_leases WHERE tenant = $tenant AND ${among("blob_id", "$1")} AND NOT is_published
    ORDER BY blob_id ${FOR_UPDATE})`;

export const leaseStatements = {
  put: (leases: readonly BlobLease[]) => putAny(latest(leases)),
  /** Of captures, after the memories are recorded. Leases of blobs that no memory refers to are left out. */
  putOfMemories: (leases: readonly BlobLease[]) => putOfMemories(latest(leases)),
  /** These blobs are ones that proofs need from now on. */
  markPublished: (blobIds: readonly string[]): Statement => ({ text: MARK, values: [blobIds] }),
  /** Of these blobs, those that no memory and no anchor has any more are not renewed. */
  dropStray: (blobIds: readonly string[]): Statement => ({ text: DROP_STRAY, values: [blobIds] }),
  dropAllStray: {
    text: `DELETE FROM blob_leases WHERE tenant = $tenant AND ${IS_STRAY}`,
    values: [],
  } satisfies Statement,
};

/** The last one given of each blob. Always in this order: transactions that lock rows in different ones would deadlock. */
function latest(leases: readonly BlobLease[]): BlobLease[] {
  const byBlob = new Map(leases.map((lease) => [lease.blobId, lease]));
  return [...byBlob.values()].toSorted((a, b) => (a.blobId < b.blobId ? -1 : 1));
}

type LeaseRow = Pick<BlobLease, "blobId" | "storedAt"> & {
  readonly [Field in "endEpoch" | "objectId" | "endsAt"]: NonNullable<BlobLease[Field]> | null;
};

export function leaseRecords({ rows, row, write }: Database): LeaseRecords {
  const findAll = async (blobIds: readonly string[]) =>
    (await rows<LeaseRow>({ text: FIND_ALL, values: [blobIds] })).map(present);
  return {
    put: (lease) => write(...leaseStatements.put([lease]), leaseStatements.dropStray([lease.blobId])),
    find: async (blobId) => (await findAll([blobId]))[0],
    findAll,
    firstEndOfPublished: async () => (await row<{ endsAt: string }>({ text: FIRST_END, values: [] }))?.endsAt,
  };
}

// What blobs were made of, from the rows of memories and anchors.

const ofMemories = (table: string) =>
  `SELECT content, namespace, source_agent AS "sourceAgent", encryption_key_id AS "encryptionKeyId", memory_id AS "memoryId",
     expires_at AS "expiresAt", occurred_at AS "occurredAt", metadata, NULL AS body
   FROM ${table} WHERE tenant = $tenant AND store_ref = $1`;

/** Of the memories that have the blob, the one that expires last. */
const FIND_BLOB_TEXT = `
  SELECT * FROM (
    ${ofMemories("memories")}
    UNION ALL
    ${ofMemories("superseded_memories")}
    UNION ALL
    SELECT NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, body FROM anchors WHERE tenant = $tenant AND blob_id = $1
  ) AS found ORDER BY "expiresAt" DESC NULLS FIRST LIMIT 1`;

const COUNT_BLOBS = `
  SELECT (SELECT count(*) FROM memories WHERE tenant = $tenant)
    + (SELECT count(*) FROM superseded_memories WHERE tenant = $tenant)
    + (SELECT count(*) FROM anchors WHERE tenant = $tenant) AS n`;

/** A blob was made of a memory's fact, of an encrypted one, or of an anchored receipt. */
type BlobTextRow =
  | (Omit<Fact, keyof StoredDetails> &
      StoredDetails & {
        readonly encryptionKeyId: string | null;
        readonly memoryId: string;
        readonly expiresAt: string | null;
      })
  | { readonly content: null; readonly body: string };

function toBlobText(row: BlobTextRow | undefined): BlobText | undefined {
  if (row === undefined) return undefined;
  if (row.content === null) return { text: row.body };
  const text = row.encryptionKeyId === null ? factText(storedFact(row)) : row.content;
  const { namespace, memoryId, expiresAt } = row;
  return { text, namespace, memoryId, ...(expiresAt !== null && { expiresAt }) };
}

export function blobTexts({ row }: Database): BlobTexts {
  return {
    find: async (blobId) => toBlobText(await row<BlobTextRow>({ text: FIND_BLOB_TEXT, values: [blobId] })),
    count: async () => (await row<{ n: number }>({ text: COUNT_BLOBS, values: [] }))?.n ?? 0,
  };
}
