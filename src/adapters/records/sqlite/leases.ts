import type { DatabaseSync } from "node:sqlite";
import { LEASE_COLUMNS, type LeaseRow, toLease } from "#adapters/records/shared/rows.ts";
import type { BlobLease, LeaseRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

/** Writes to the table of leases. They must run inside a transaction. */
export interface LeaseTable {
  put(lease: BlobLease): void;
  /** The blob is one that proofs need from now on. */
  markPublished(blobId: string): void;
  /** Removes the lease of a blob that no memory and no anchor has any more. It is not renewed. */
  dropIfStray(blobId: string): void;
  dropAllStray(): void;
}

/** A blob that several records share has one lease. */
export function leaseTable(database: DatabaseSync): LeaseTable {
  const upsert = database.prepare(
    `INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at, ends_at, is_published)
     VALUES (:blobId, :endEpoch, :objectId, :storedAt, :endsAt,
       EXISTS (SELECT 1 FROM published_blobs WHERE blob_id = :blobId))
     ON CONFLICT DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
       stored_at = excluded.stored_at, ends_at = excluded.ends_at`,
  );
  const publish = database.prepare("UPDATE blob_leases SET is_published = 1 WHERE blob_id = ? AND is_published = 0");
  const isStray = `NOT EXISTS (SELECT 1 FROM memories WHERE store_ref = blob_leases.blob_id)
    AND NOT EXISTS (SELECT 1 FROM superseded_memories WHERE store_ref = blob_leases.blob_id)
    AND NOT EXISTS (SELECT 1 FROM anchors WHERE anchors.blob_id = blob_leases.blob_id)`;
  const dropIfStray = database.prepare(`DELETE FROM blob_leases WHERE blob_id = ? AND ${isStray}`);
  const dropAllStray = database.prepare(`DELETE FROM blob_leases WHERE ${isStray}`);
  return {
    dropIfStray: (blobId) => void dropIfStray.run(blobId),
    dropAllStray: () => void dropAllStray.run(),
    put: ({ blobId, storedAt, endEpoch = null, objectId = null, endsAt = null }) =>
      void upsert.run({ blobId, endEpoch, objectId, storedAt, endsAt }),
    markPublished: (blobId) => void publish.run(blobId),
  };
}

export function leaseRecords({ database, read, write }: Connection, table: LeaseTable): LeaseRecords {
  const findAll = database.prepare(
    `SELECT ${LEASE_COLUMNS} FROM blob_leases WHERE blob_id IN (SELECT value FROM json_each(?))`,
  );
  const firstEnd = database.prepare(
    `SELECT ends_at AS endsAt FROM blob_leases WHERE is_published = 1 AND ends_at IS NOT NULL ORDER BY ends_at LIMIT 1`,
  );
  const all = (blobIds: readonly string[]) =>
    (findAll.all(JSON.stringify(blobIds)) as unknown as LeaseRow[]).map(toLease);
  return {
    put: (lease) => write(() => table.put(lease)),
    find: (blobId) => read(() => all([blobId])[0]),
    findAll: (blobIds) => read(() => all(blobIds)),
    firstEndOfPublished: () => read(() => (firstEnd.get() as { endsAt: string } | undefined)?.endsAt),
  };
}
