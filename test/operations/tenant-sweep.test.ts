// Work beside the requests, in the tenants that have some.
import { describe, expect, onTestFinished, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { encryptRegularly, renewRegularly, sweepTenantsRegularly } from "#background/jobs.ts";
import type { Overrides } from "#compose.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import { createLog } from "#log.ts";
import type { Archive, BlobStore, TenantRecord } from "#ports.ts";
import { capture } from "#service/memories/capture.ts";
import type { TenantDirectory } from "#service/tenants/tenant-directory.ts";
import { decision } from "#test/suites/records/decisions.ts";
import { newMemory } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const HOUR_MS = 3_600_000;
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
    await waitFor(() => expect(new Set(loaded)).toEqual(new Set(["b"])));
  });

  test("what expires in the tenant default is forgotten in each run, whichever others it looks at", async () => {
    const { tenant, watched, loaded } = await twoTenants({});
    const job = sweepTenantsRegularly(watched, log, { days: 0, intervalMs: 20 });
    onTestFinished(() => job.stop());
    for (const content of ["first", "second"]) {
      const { memoryId } = await tenant.records.memories.add(
        newMemory(content, { expiresAt: "2020-01-01T00:00:00.000Z" }),
      );
      await waitFor(async () => expect(await tenant.records.memories.tombstone(memoryId)).toBeDefined());
    }
    expect(loaded).toEqual(new Set(["default"]));
  });

  test("work that takes long in another tenant does not hold up that of the tenant default", async () => {
    const { tenant, watched, a } = await twoTenants({});
    const expired = { expiresAt: "2020-01-01T00:00:00.000Z" };
    await tenant.tenants.useRecords(a, ({ records }) => records.memories.add(newMemory("slow", expired)));
    const { promise: release, resolve } = Promise.withResolvers<void>();
    const tenants: TenantDirectory = {
      ...watched.tenants,
      useRecords: async (ref, work) => {
        if (ref.id === a.id) await release;
        return watched.tenants.useRecords(ref, work);
      },
    };
    const job = sweepTenantsRegularly({ ...watched, tenants }, log, { days: 0, intervalMs: 20 });
    onTestFinished(() => job.stop());
    for (const content of ["first", "second"]) {
      const { memoryId } = await tenant.records.memories.add(newMemory(content, expired));
      await waitFor(async () => expect(await tenant.records.memories.tombstone(memoryId)).toBeDefined());
    }
    resolve();
  });

  /** A service with the tenants a and b, and which of them were loaded since. */
  async function twoTenants(options: { environment?: Record<string, string>; overrides?: Overrides }) {
    const database = kind === "postgres" ? { database: (await databaseForTest()).url } : {};
    const environment = { SEED: "none", ...options.environment };
    const { tenant } = await serviceForTest({ ...options, environment, ...database });
    const [a, b] = [await tenant.tenantAdministration.create("a"), await tenant.tenantAdministration.create("b")];
    const loaded = new Set<string>();
    const tenants: TenantDirectory = {
      ...tenant.tenants,
      useRecords: (ref, work) => {
        loaded.add(ref.id);
        return tenant.tenants.useRecords(ref, work);
      },
    };
    return { tenant, watched: { ...tenant, tenants }, a, b, loaded };
  }

  test("blobs of any tenant are renewed, and tenants without leases are not loaded", async () => {
    const store = memoryBlobs();
    const puts: string[] = [];
    const blobs: BlobStore = {
      ...store,
      async put(bytes, options) {
        const stored = await store.put(bytes, options);
        puts.push(stored.blobId);
        return { ...stored, endEpoch: 10, objectId: "0x1" };
      },
    };
    const { tenant, watched, a, loaded } = await twoTenants({ overrides: { blobs } });
    const fact = { namespace: "n", content: "fact", sourceAgent: "s" };
    const { storeRef } = await tenant.tenants.use(a, (own) => capture(own, fact));
    expect(puts).toEqual([storeRef]);
    const job = renewRegularly(watched, log, 50 / 3_600_000);
    onTestFinished(() => job.stop());
    await waitFor(() => expect(puts.length).toBeGreaterThan(1));
    expect(new Set(puts)).toEqual(new Set([storeRef]));
    expect(loaded).toEqual(new Set(["a"]));
  });

  test("old decisions of any tenant are pruned with what became old in the last hour, and not before", async () => {
    const { tenant, watched, a, b, loaded } = await twoTenants({});
    const add = (ref: TenantRecord, ...hours: number[]) =>
      tenant.tenants.useRecords(ref, async ({ records }) => {
        for (const old of hours)
          await records.decisions.add(decision({ at: new Date(Date.now() - old * HOUR_MS).toISOString() }));
      });
    await add(a, 26, 24.5, 1);
    await add(b, 24.5, 1);
    const archived: string[] = [];
    let looks = 0;
    const dueWork: typeof tenant.dueWork = {
      ...tenant.dueWork,
      look(page) {
        looks += 1;
        return tenant.dueWork.look(page);
      },
    };
    const openArchive = (_: Date, { id }: TenantRef): Archive => ({
      append: async (kind, lines) => void archived.push(`${lines.length} ${kind} of ${id}`),
      close: async () => undefined,
    });
    const job = sweepTenantsRegularly({ ...watched, dueWork }, log, { days: 1, openArchive, intervalMs: 20 });
    onTestFinished(() => job.stop());
    await waitFor(() => expect(archived).toEqual(["2 decisions of a"]));
    const before = looks;
    await waitFor(() => expect(looks).toBeGreaterThan(before + 2));
    expect(archived).toEqual(["2 decisions of a"]);
    expect(loaded).toEqual(new Set(["a"]));
  });

  test("open memories in encrypted namespaces of any tenant are encrypted, and others are not loaded", async () => {
    const { tenant, watched, a, b, loaded } = await twoTenants({ environment: { ENCRYPTION_KEY: "5e".repeat(32) } });
    const [, memory] = [await addOpen(tenant, b, false), await addOpen(tenant, a, true)];
    const job = encryptRegularly(watched, log, 20);
    onTestFinished(() => job.stop());
    const left = () => tenant.tenants.useRecords(a, ({ stored }) => stored.memories.find(memory.memoryId));
    await waitFor(async () => expect(await left()).toBeUndefined());
    expect(loaded).toEqual(new Set(["a"]));
  });

  test("open memories are looked for in a few tenants at a time, so that no statement takes long, and in all of them", async () => {
    const { tenant, watched, loaded } = await twoTenants({ environment: { ENCRYPTION_KEY: "5e".repeat(32) } });
    for (let i = 0; i < 20; i++) await tenant.tenantAdministration.create(`idle${i}`);
    await addOpen(tenant, await tenant.tenantAdministration.create("last"), true);
    const limits: number[] = [];
    const dueWork: typeof tenant.dueWork = {
      ...tenant.dueWork,
      having(of, page) {
        limits.push(page.limit);
        return tenant.dueWork.having(of, page);
      },
    };
    const job = encryptRegularly({ ...watched, dueWork }, log, 20);
    onTestFinished(() => job.stop());
    await waitFor(() => expect(loaded).toEqual(new Set(["last"])));
    expect(Math.max(...limits)).toBeLessThanOrEqual(20);
  });
});

/** A memory that was captured before its namespace was encrypted. */
function addOpen({ tenants }: { readonly tenants: TenantDirectory }, ref: TenantRecord, encrypted: boolean) {
  return tenants.useRecords(ref, async ({ records }) => {
    const memory = await records.memories.add(newMemory("open"));
    await records.namespaces.put({ name: memory.namespace, encrypted }, { by: "test", at: memory.createdAt });
    return memory;
  });
}

test("a tenant whose work always fails does not hide that another's begins to fail", async () => {
  const { tenant } = await serviceForTest({ environment: { SEED: "none" } });
  const none = { expired: false, keys: false, begun: false, events: false, decisions: false, proposals: false };
  const due = ["a", "b"].map((id, i) => ({ ...none, id, number: i + 100 }));
  const failing = new Set(["a"]);
  let runs = 0;
  const tenants: TenantDirectory = {
    ...tenant.tenants,
    async useRecords(ref) {
      if (ref.id === "a") runs += 1;
      if (failing.has(ref.id)) throw new Error(`of ${ref.id}`);
      return undefined as never;
    },
  };
  const dueWork = {
    ...tenant.dueWork,
    look: async ({ limit }: { limit: number }) => ({ due: limit === 1 ? [] : due }),
  };
  const lines: string[] = [];
  const told = createLog({ level: "warn", destination: { write: (line) => void lines.push(line) } });
  const job = sweepTenantsRegularly({ ...tenant, tenants, dueWork }, told, { days: 0, intervalMs: 1 });
  onTestFinished(() => job.stop());
  await waitFor(() => expect(runs).toBeGreaterThan(20));
  failing.add("b");
  await waitFor(() => expect(lines.some((line) => line.includes('"tenantNumber":101'))).toBe(true));
  // The first, the second, the fourth failure in a row, and so on.
  expect(lines.filter((line) => line.includes('"tenantNumber":100')).length).toBeLessThan(runs / 2);
});
