import { foundRequest, type RequestRow } from "#adapters/records/shared/identity/idempotency.ts";
import type { Connection } from "#adapters/records/sqlite/connection/connection.ts";
import type { IdempotencyRecords } from "#ports.ts";

export function idempotencyRecords({ database, writeFromReserve: write }: Connection): IdempotencyRecords {
  const insert = database.prepare(
    `INSERT INTO idempotency_keys AS known (id, request, holder, lease_end, begun_at)
     VALUES (:id, :digest, :holder, :leaseEnd, :now)
     ON CONFLICT (id) DO UPDATE SET request = excluded.request, holder = excluded.holder, lease_end = excluded.lease_end,
       begun_at = excluded.begun_at, outcome = NULL
     WHERE known.begun_at < :oldest
       OR (known.outcome IS NULL AND known.lease_end < :now AND known.request = excluded.request)`,
  );
  const find = database.prepare("SELECT request, outcome FROM idempotency_keys WHERE id = ?");
  const held = "WHERE id = :id AND holder = :holder AND outcome IS NULL";
  const extend = database.prepare(`UPDATE idempotency_keys SET lease_end = :leaseEnd ${held}`);
  const complete = database.prepare(`UPDATE idempotency_keys SET outcome = :outcome ${held}`);
  const remove = database.prepare(`DELETE FROM idempotency_keys ${held}`);
  const sweep = database.prepare(
    `DELETE FROM idempotency_keys
     WHERE id IN (SELECT id FROM idempotency_keys WHERE begun_at < ? ORDER BY begun_at LIMIT ?)`,
  );

  return {
    begin: ({ id, digest, holder, now, leaseEnd, oldest }) =>
      write(() => {
        if (insert.run({ id, digest, holder, now, leaseEnd, oldest }).changes > 0) return { kind: "begun" };
        return foundRequest(find.get(id) as unknown as RequestRow, digest);
      }),
    extend: ({ id, holder }, leaseEnd) => write(() => void extend.run({ id, holder, leaseEnd })),
    complete: ({ id, holder }, outcome) => write(() => void complete.run({ id, holder, outcome })),
    abandon: ({ id, holder }) => write(() => void remove.run({ id, holder })),
    sweep: (before, limit) => write(() => Number(sweep.run(before, limit).changes)),
  };
}
