import { type Sql, type Statement, toJsonEach } from "#adapters/records/shared/sql.ts";
import type { BlobLease, LeaseRecords } from "#ports.ts";

// Without `WHERE true`, SQLite would take `ON CONFLICT` for the condition of a join.
const PUT = `
  INSERT INTO blob_leases (blob_id, end_epoch, object_id, stored_at)
  SELECT value ->> 'blobId', CAST(value ->> 'endEpoch' AS bigint), value ->> 'objectId', value ->> 'storedAt'
  FROM json_each($1) AS given WHERE true
  ON CONFLICT (blob_id) DO UPDATE SET end_epoch = excluded.end_epoch, object_id = excluded.object_id,
    stored_at = excluded.stored_at`;
const FIND = `
  SELECT blob_id AS "blobId", end_epoch AS "endEpoch", object_id AS "objectId", stored_at AS "storedAt"
  FROM blob_leases WHERE blob_id = $1`;

/** A blob that several records share has one lease: the last one given. No statement when there are no leases. */
export function putLeases(given: readonly (BlobLease | undefined)[]): Statement[] {
  const leases = new Map(given.flatMap((lease) => (lease === undefined ? [] : [[lease.blobId, lease]])));
  return leases.size === 0 ? [] : [{ text: PUT, values: [toJsonEach([...leases.values()])] }];
}

export function leaseRecords(sql: Sql): LeaseRecords {
  return {
    put: (lease) => sql.write(...putLeases([lease])),
    async find(blobId) {
      type Row = Omit<BlobLease, "objectId"> & { readonly objectId: string | null };
      const row = await sql.row<Row>({ text: FIND, values: [blobId] });
      if (row === undefined) return undefined;
      const { objectId, ...lease } = row;
      return objectId === null ? lease : { ...lease, objectId };
    },
  };
}
