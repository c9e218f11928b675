import type { Database } from "#adapters/records/shared/sql/database.ts";
import type { Begun, IdempotencyRecords, IdempotentRequest } from "#ports.ts";

const BEGIN = `
  INSERT INTO idempotency_keys AS known (tenant, id, request, holder, lease_end, begun_at) VALUES ($tenant, $1, $2, $3, $4, $5)
  ON CONFLICT (tenant, id) DO UPDATE SET request = excluded.request, holder = excluded.holder, lease_end = excluded.lease_end,
    begun_at = excluded.begun_at, outcome = NULL
  WHERE known.begun_at < $6
    OR (known.outcome IS NULL AND known.lease_end < excluded.begun_at AND known.request = excluded.request)
  RETURNING id`;
const FIND = "SELECT request, outcome FROM idempotency_keys WHERE tenant = $tenant AND id = $1";
const HELD = "WHERE tenant = $tenant AND id = $1 AND holder = $2 AND outcome IS NULL";
const EXTEND = `UPDATE idempotency_keys SET lease_end = $3 ${HELD}`;
const COMPLETE = `UPDATE idempotency_keys SET outcome = $3 ${HELD}`;
const ABANDON = `DELETE FROM idempotency_keys ${HELD}`;
const SWEEP = `
  DELETE FROM idempotency_keys WHERE tenant = $tenant AND id IN (
    SELECT id FROM idempotency_keys WHERE tenant = $tenant AND begun_at < $1 ORDER BY begun_at LIMIT $2) RETURNING id`;

interface RequestRow {
  readonly request: string;
  readonly outcome: string | null;
}

export function idempotencyRecords({ row, reserve: { write, change } }: Database): IdempotencyRecords {
  async function begin(request: IdempotentRequest): Promise<Begun> {
    const { id, digest, holder, now, leaseEnd, oldest } = request;
    const begun = await change({ text: BEGIN, values: [id, digest, holder, leaseEnd, now, oldest] });
    if (begun.length > 0) return { kind: "begun" };
    const found = await row<RequestRow>({ text: FIND, values: [id] });
    // Between the two statements its holder may have abandoned it.
    return found === undefined ? begin(request) : foundRequest(found, digest);
  }

  return {
    begin,
    extend: ({ id, holder }, leaseEnd) => write({ text: EXTEND, values: [id, holder, leaseEnd] }),
    complete: ({ id, holder }, outcome) => write({ text: COMPLETE, values: [id, holder, outcome] }),
    abandon: ({ id, holder }) => write({ text: ABANDON, values: [id, holder] }),
    sweep: async (before, limit) => (await change({ text: SWEEP, values: [before, limit] })).length,
  };
}

function foundRequest({ request, outcome }: RequestRow, digest: string): Begun {
  if (request !== digest && request !== "" && digest !== "") return { kind: "other-request" };
  return outcome === null ? { kind: "in-progress" } : { kind: "done", outcome };
}
