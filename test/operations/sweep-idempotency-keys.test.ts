import { expect, onTestFinished, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { sweepTenantsRegularly } from "#background/jobs.ts";
import { OPEN } from "#core/identity/principal.ts";
import { createLog } from "#log.ts";
import { createIdempotency, KEPT_MS } from "#service/idempotency/idempotency.ts";
import { createTenantDirectory } from "#service/tenants/tenant-directory.ts";
import { testTenant } from "#test/support/tenant.ts";
import { waitFor } from "#test/support/wait-for.ts";

/** No other tenant is loaded. */
const ALONE: Omit<Parameters<typeof createTenantDirectory>[1], "records"> = {
  load: () => Promise.reject(new Error("There is one tenant.")),
  unload: async () => undefined,
  removeFiles: async () => undefined,
  bytesOf: () => 0,
  mostBytes: 0,
};

test("old idempotency keys of the tenant default are forgotten in the background, also after a sweep that failed", async () => {
  let time = 0;
  const deployment = sqliteRecords({ path: ":memory:" });
  const tenant = testTenant({ now: () => new Date(time), records: deployment });
  const request = { identity: "i", route: "r", key: "k", makes: "answer", content: {} } as const;
  await createIdempotency(tenant).once(request, { principal: OPEN }, async () => undefined);
  // It may come ten minutes late.
  time = KEPT_MS + 600_000;
  const swept: number[] = [];
  let fails = 1;
  const sweep = async (before: number, limit: number) => {
    if (fails-- > 0) throw new Error("down");
    const count = await tenant.records.idempotency.sweep(before, limit);
    swept.push(count);
    return count;
  };
  const lines: string[] = [];
  const log = createLog({ level: "debug", destination: { write: (line) => void lines.push(line) } });
  const records = { ...tenant.records, idempotency: { ...tenant.records.idempotency, sweep } };
  const { dueWork } = deployment;
  const first = { ...tenant, records };
  const tenants = createTenantDirectory(first, { records: deployment.tenants, ...ALONE });
  const sweeping = sweepTenantsRegularly({ ...first, tenants, dueWork }, log, { days: 0, intervalMs: 1 });
  onTestFinished(() => sweeping.stop());
  await waitFor(() => expect(swept[0]).toBe(1));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("could not do the work that is due in a tenant");
});
