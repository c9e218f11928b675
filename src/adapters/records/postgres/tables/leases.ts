import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { LEASE_COLUMNS, type LeaseRow, toLease } from "#adapters/records/shared/rows.ts";
import type { BlobLease, LeaseRecords } from "#ports.ts";

const PUT = `
  INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at, ends_at, is_published)
  SELECT "blobId", "endEpoch", "objectId", "storedAt", "endsAt",
    EXISTS (SELECT FROM published_blobs WHERE published_blobs.blob_id = "blobId")
  FROM json_to_recordset($1::json) AS given ("blobId" text, "endEpoch" bigint, "objectId" text, "storedAt" text,
    "endsAt" text)
  ON CONFLICT (blob_id) DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
    stored_at = excluded.stored_at, ends_at = excluded.ends_at`;

/** A blob that several records share has one lease: the last one given. No statement when there are no leases. */
export function putLeases(leases: readonly BlobLease[]): Statement[] {
  if (leases.length === 0) return [];
  const latest = new Map(leases.map((lease) => [lease.blobId, lease]));
  // Always in this order: transactions that lock several rows in different ones would wait for each other.
  const rows = [...latest.values()].toSorted((a, b) => (a.blobId < b.blobId ? -1 : 1));
  return [{ text: PUT, values: [JSON.stringify(rows)] }];
}

const MARK_PUBLISHED = `
  UPDATE blob_leases SET is_published = true WHERE blob_id IN (
    SELECT blob_id FROM blob_leases WHERE blob_id = ANY ($1) AND NOT is_published ORDER BY blob_id FOR UPDATE)`;

/** These blobs are ones that proofs need from now on. */
export const markPublished = (blobIds: readonly string[]): Statement => ({ text: MARK_PUBLISHED, values: [blobIds] });

/** Of captures: leases of blobs that no memory refers to are left out. */
const PUT_OF_MEMORIES = PUT.replace(
  "ON CONFLICT",
  `WHERE EXISTS (SELECT FROM memories WHERE store_ref = "blobId")
    OR EXISTS (SELECT FROM superseded_memories WHERE store_ref = "blobId")
  ON CONFLICT`,
);

/** As `putLeases`, after the memories are recorded. A fact that is on record may now be stored in another store. */
export function putLeasesOfMemories(leases: readonly BlobLease[]): Statement[] {
  return putLeases(leases).map((statement) => ({ ...statement, text: PUT_OF_MEMORIES }));
}

const IS_STRAY = `NOT EXISTS (SELECT FROM memories WHERE store_ref = blob_leases.blob_id)
  AND NOT EXISTS (SELECT FROM superseded_memories WHERE store_ref = blob_leases.blob_id)
  AND NOT EXISTS (SELECT FROM anchors WHERE anchors.blob_id = blob_leases.blob_id)`;
const DROP_STRAY = `DELETE FROM blob_leases WHERE blob_id = ANY ($1) AND ${IS_STRAY}`;

/** Of these blobs, those that no memory and no anchor has any more are not renewed. */
export const dropStrayLeases = (blobIds: readonly string[]): Statement => ({ text: DROP_STRAY, values: [blobIds] });
export const dropAllStrayLeases: Statement = { text: `DELETE FROM blob_leases WHERE ${IS_STRAY}`, values: [] };

const FIND_ALL = `SELECT ${LEASE_COLUMNS} FROM blob_leases WHERE blob_id = ANY ($1)`;
const FIRST_END: Statement = {
  text: `SELECT ends_at AS "endsAt" FROM blob_leases WHERE is_published AND ends_at IS NOT NULL ORDER BY ends_at LIMIT 1`,
  values: [],
};

export function leaseRecords(database: Database): LeaseRecords {
  const findAll = async (blobIds: readonly string[]) =>
    (await database.rows<LeaseRow>({ text: FIND_ALL, values: [blobIds] })).map(toLease);
  return {
    put: (lease) => database.write(...putLeases([lease])),
    find: async (blobId) => (await findAll([blobId]))[0],
    findAll,
    firstEndOfPublished: async () => (await database.row<{ endsAt: string }>(FIRST_END))?.endsAt,
  };
}
