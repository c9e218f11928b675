import type { DatabaseSync } from "node:sqlite";
import type { BlobLease } from "#ports.ts";

/** How long blobs are kept. A blob that several records share has one lease. */
export function leaseTable(database: DatabaseSync) {
  const upsert = database.prepare(
    `INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
       stored_at = excluded.stored_at`,
  );
  const find = database.prepare(
    `SELECT blob_id AS blobId, end_epoch AS endEpoch, object_id AS objectId, stored_at AS storedAt
     FROM blob_leases WHERE blob_id = ?`,
  );

  const count = database.prepare("SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors) AS n");

  return {
    blobCount: (): number => Number(count.get()?.n),
    keep({ blobId, endEpoch, objectId, storedAt }: BlobLease): void {
      upsert.run(blobId, endEpoch, objectId ?? null, storedAt);
    },
    of(blobId: string): BlobLease | undefined {
      const row = find.get(blobId) as (Omit<BlobLease, "objectId"> & { objectId: string | null }) | undefined;
      if (row === undefined) return undefined;
      const { objectId, ...lease } = row;
      return objectId === null ? lease : { ...lease, objectId };
    },
  };
}
