import type { BlobLease } from "#ports.ts";
import type { Statement } from "./connection/database.ts";

/** Notes how long blobs are kept. A blob that several records share has one lease, and the last one given counts. */
export function keepLeases(leases: readonly BlobLease[]): Statement {
  const latest = new Map(leases.map((lease) => [lease.blobId, lease]));
  return {
    text: `INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at)
           SELECT "blobId", "endEpoch", "objectId", "storedAt"
           FROM json_to_recordset($1::json) AS kept ("blobId" text, "endEpoch" bigint, "objectId" text, "storedAt" text)
           ON CONFLICT (blob_id) DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
             stored_at = excluded.stored_at`,
    values: [JSON.stringify([...latest.values()])],
  };
}

export const findLease = (blobId: string): Statement => ({
  text: `SELECT blob_id AS "blobId", end_epoch AS "endEpoch", object_id AS "objectId", stored_at AS "storedAt"
         FROM blob_leases WHERE blob_id = $1`,
  values: [blobId],
});

export type LeaseRow = Omit<BlobLease, "objectId"> & { readonly objectId: string | null };

export function toLease(row: LeaseRow | undefined): BlobLease | undefined {
  if (row === undefined) return undefined;
  const { objectId, ...lease } = row;
  return objectId === null ? lease : { ...lease, objectId };
}

export const countBlobs: Statement = {
  text: "SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors) AS n",
  values: [],
};
