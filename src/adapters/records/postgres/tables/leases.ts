import type { Database, Statement } from "#adapters/records/postgres/connection/database.ts";
import { type LeaseRow, toLease } from "#adapters/records/shared/rows.ts";
import type { BlobLease, LeaseRecords } from "#ports.ts";

const PUT = `
  INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at)
  SELECT "blobId", "endEpoch", "objectId", "storedAt"
  FROM json_to_recordset($1::json) AS given ("blobId" text, "endEpoch" bigint, "objectId" text, "storedAt" text)
  ON CONFLICT (blob_id) DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
    stored_at = excluded.stored_at`;

/** A blob that several records share has one lease: the last one given. No statement when there are no leases. */
export function putLeases(leases: readonly BlobLease[]): Statement[] {
  if (leases.length === 0) return [];
  const latest = new Map(leases.map((lease) => [lease.blobId, lease]));
  return [{ text: PUT, values: [JSON.stringify([...latest.values()])] }];
}

/** Of captures: leases of blobs that no memory refers to are left out. */
const PUT_OF_MEMORIES = PUT.replace(
  "ON CONFLICT",
  'WHERE EXISTS (SELECT FROM memories WHERE store_ref = "blobId")\n  ON CONFLICT',
);

/** As `putLeases`, after the memories are recorded. A fact that is on record may now be stored in another store. */
export function putLeasesOfMemories(leases: readonly BlobLease[]): Statement[] {
  return putLeases(leases).map((statement) => ({ ...statement, text: PUT_OF_MEMORIES }));
}

const FIND = `
  SELECT blob_id AS "blobId", end_epoch AS "endEpoch", object_id AS "objectId", stored_at AS "storedAt"
  FROM blob_leases WHERE blob_id = $1`;

export function leaseRecords(database: Database): LeaseRecords {
  return {
    put: (lease) => database.write(...putLeases([lease])),
    find: async (blobId) => toLease(await database.row<LeaseRow>({ text: FIND, values: [blobId] })),
  };
}
