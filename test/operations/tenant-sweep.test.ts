// Work beside the requests, in the tenants that have some.
import { describe, expect, onTestFinished, test } from "vitest";
import { sweepTenantsRegularly } from "#background/jobs.ts";
import { createLog } from "#log.ts";
import type { TenantRecord } from "#ports.ts";
import type { TenantDirectory } from "#service/tenants/tenant-directory.ts";
import { newMemory } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const log = createLog({ level: "silent" });

describe.for(["sqlite", "postgres"] as const)("On %s", (kind) => {
  test("expired memories of any tenant are forgotten, and tenants without work are not loaded", async () => {
    const database = kind === "postgres" ? { database: (await databaseForTest()).url } : {};
    const { tenant } = await serviceForTest({ environment: { SEED: "none" }, ...database });
    const made = [];
    for (const id of ["a", "b", "c"]) made.push(await tenant.tenantAdministration.create(id));
    const past = "2020-01-01T00:00:00.000Z";
    const [, b] = made as TenantRecord[];
    await tenant.tenants.useRecords(b as TenantRecord, async ({ records }) => {
      await records.memories.add(newMemory("gone", { expiresAt: past }));
      await records.memories.add(newMemory("stays"));
    });
    const loaded: string[] = [];
    const tenants: TenantDirectory = {
      ...tenant.tenants,
      useRecords: (ref, work) => {
        loaded.push(ref.id);
        return tenant.tenants.useRecords(ref, work);
      },
    };
    const job = sweepTenantsRegularly({ ...tenant, tenants }, log, { days: 0, intervalMs: 20 });
    onTestFinished(() => job.stop());
    const contents = () =>
      tenant.tenants.useRecords(b as TenantRecord, async ({ records }) =>
        (await records.memories.page({ limit: 10 })).memories.map(({ content }) => content),
      );
    await waitFor(async () => expect(await contents()).toEqual(["stays"]));
    expect(new Set(loaded)).toEqual(new Set(["b"]));
  });
});
