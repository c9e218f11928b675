import type { DatabaseSync } from "node:sqlite";
import { type LeaseRow, toLease } from "#adapters/records/shared/rows.ts";
import type { BlobLease, LeaseRecords } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

/** Writes to the table of leases. They must run inside a transaction. */
export interface LeaseTable {
  put(lease: BlobLease): void;
}

/** A blob that several records share has one lease. */
export function leaseTable(database: DatabaseSync): LeaseTable {
  const upsert = database.prepare(
    `INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
       stored_at = excluded.stored_at`,
  );
  return {
    put: ({ blobId, endEpoch, objectId, storedAt }) => void upsert.run(blobId, endEpoch, objectId ?? null, storedAt),
  };
}

export function leaseRecords({ database, read, write }: Connection, table: LeaseTable): LeaseRecords {
  const find = database.prepare(
    `SELECT blob_id AS blobId, end_epoch AS endEpoch, object_id AS objectId, stored_at AS storedAt
     FROM blob_leases WHERE blob_id = ?`,
  );
  return {
    put: (lease) => write(() => table.put(lease)),
    find: (blobId) => read(() => toLease(find.get(blobId) as LeaseRow | undefined)),
  };
}
