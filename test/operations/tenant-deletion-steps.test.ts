// The deletion of tenants, on the records alone: what it leaves to others, and that none holds up another.
import { describe, expect, onTestFinished, test } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { SQLITE } from "#adapters/records/shared/schema/dialect.ts";
import { tenantTablesIn } from "#adapters/records/shared/schema/schema.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { deleteTenantsRegularly } from "#background/jobs.ts";
import { createLog } from "#log.ts";
import type { DeploymentRecords, TenantRecord } from "#ports.ts";
import { beginDeletion } from "#service/tenants/delete-tenant.ts";
import { AT, newMemory, receipt, STAMP } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { waitFor } from "#test/support/wait-for.ts";

const log = createLog({ level: "silent" });
const READ_SET = { agentId: "x", namespaces: [], memoryIds: [], policyVersion: 0, removals: 0 };
const SIGNED = { bytes: Uint8Array.of(1), signature: "s", requests: [] };

async function recordsForTest(kind: "sqlite" | "postgres"): Promise<DeploymentRecords> {
  const records =
    kind === "sqlite"
      ? sqliteRecords({ path: ":memory:" })
      : await postgresRecords({ url: (await databaseForTest()).url });
  onTestFinished(() => records.close());
  return records;
}

const create = async ({ tenants }: DeploymentRecords, id = "acme") => (await tenants.create(id, AT)) as TenantRecord;

async function deleteWhole({ tenantDeletions }: DeploymentRecords, { id, number }: TenantRecord, at = AT) {
  await tenantDeletions.begin(id, at);
  while ((await tenantDeletions.step({ number }, at)) !== "ended");
}

describe.for(["sqlite", "postgres"] as const)("On %s, the deletion of a tenant", (kind) => {
  test("waits for what passes the fence, also in a tenant without rules and when it is repeated", async () => {
    const records = await recordsForTest(kind);
    const { policy } = records.recordsOf(await create(records));
    for (const _ of ["first", "repeated"]) {
      const passing = Promise.withResolvers<void>();
      let hasEnded = false;
      const passed = policy.passFence(READ_SET, (signal) => {
        passing.resolve();
        return new Promise((resolve) =>
          signal.addEventListener("abort", () => {
            hasEnded = true;
            resolve();
          }),
        );
      });
      await passing.promise;
      await beginDeletion(records, "acme", STAMP);
      expect(hasEnded).toBe(true);
      await passed;
    }
  });

  test("may be repeated when all rows are removed, and the end is not on record", async () => {
    const records = await recordsForTest(kind);
    const { number } = await create(records);
    await beginDeletion(records, "acme", STAMP);
    const isPolicyGone = async () => (await records.recordsOf({ number }).policy.current()).version === null;
    while (!(await isPolicyGone())) expect(await records.tenantDeletions.step({ number }, AT)).toBe("removed");
    expect((await beginDeletion(records, "acme", STAMP))?.deletion?.startedAt).toBe(AT);
  });

  test("lets nothing be added by a request that was let in before, from its beginning on", async () => {
    const records = await recordsForTest(kind);
    const tenant = await create(records);
    const { memories, policy, receipts } = records.recordsOf(tenant);
    const rule = { agentId: "x", namespace: "n", allowed: true };
    const { used: _, verified: __, intact: ___, ...begun } = receipt(1);
    await memories.add(newMemory("before"));
    await policy.set(rule, STAMP);
    await beginDeletion(records, "acme", STAMP);
    const refused = { code: "limit-reached" };
    await expect(memories.add(newMemory("after"))).rejects.toMatchObject(refused);
    await expect(memories.add(newMemory("after", { key: "k" }))).rejects.toMatchObject(refused);
    await expect(policy.set(rule, STAMP)).rejects.toMatchObject(refused);
    await expect(receipts.begin(begun)).rejects.toMatchObject(refused);
    while ((await records.tenantDeletions.step(tenant, AT)) !== "ended")
      await expect(memories.add(newMemory("meanwhile"))).rejects.toThrow();
    await expect(policy.set(rule, STAMP)).rejects.toMatchObject(refused);
    await expect(memories.add(newMemory("at the end"))).rejects.toMatchObject({ code: "records-unavailable" });
  });

  test("leaves its unfinished requests to nobody, and its open transaction to the ledger", async () => {
    const records = await recordsForTest(kind);
    const { number, id } = await create(records);
    const { chainAnchors } = records.recordsOf({ number });
    const asked = { agentId: "x", blobId: "b", digest: "d", claimed: [], policyVersion: "newest" as const };
    await chainAnchors.request(asked, AT);
    await chainAnchors.addTransaction({ ...SIGNED, txDigest: "t1" });
    await records.tenantDeletions.begin(id, AT);
    expect(await records.ledgerWork.requests(10)).toEqual([]);
    expect(await records.ledgerWork.openTransactions()).toEqual([{ number, id, txDigest: "t1" }]);
    expect(await records.tenantDeletions.step({ number }, AT)).toBe("waiting");
  });
});

test.for(["sqlite", "postgres"] as const)(
  "On %s, records for one call stay open for whoever has them",
  async (kind) => {
    const deployment = await recordsForTest(kind);
    const tenant = await create(deployment);
    const used = await deployment.useRecordsOf(tenant, async (records) => records);
    expect(await deployment.useRecordsOf(tenant, async (records) => records)).not.toBe(used);
    const kept = await deployment.useRecordsOf(tenant, async (records) => {
      expect(await deployment.useRecordsOf(tenant, async (again) => again)).toBe(records);
      expect(deployment.recordsOf(tenant)).toBe(records);
      return records;
    });
    expect(deployment.recordsOf(tenant)).toBe(kept);
    await kept.close();
    expect(deployment.recordsOf(tenant)).not.toBe(kept);
  },
);

test("A transaction that opens during a step stays in its tenant", async () => {
  const records = await recordsForTest("sqlite");
  const { number, id } = await create(records);
  const { chainAnchors } = records.recordsOf({ number });
  await chainAnchors.addTransaction({ ...SIGNED, txDigest: "t1" });
  await chainAnchors.closeTransaction("t1", []);
  await records.tenantDeletions.begin(id, AT);
  const moved = async () => (await records.ledgerWork.openTransactions()).length === 0;
  for (const _ of tenantTablesIn(SQLITE)) {
    // The step has looked when the transaction is recorded, and writes after it.
    const stepping = records.tenantDeletions.step({ number }, AT);
    await chainAnchors.addTransaction({ ...SIGNED, txDigest: "t2" });
    await stepping;
    expect(await moved()).toBe(false);
    await chainAnchors.closeTransaction("t2", []);
  }
  expect(await chainAnchors.hasTransaction("t1")).toBe(true);
});

test("One that fails holds up no other, and those that ended are all looked at again", async () => {
  const records = await recordsForTest("sqlite");
  const failing = await create(records, "failing");
  await records.tenantDeletions.begin("failing", AT);
  const ended: TenantRecord[] = [];
  for (let i = 0; i < 101; i++) ended.push(await create(records, `t${i}`));
  for (const tenant of ended) await deleteWhole(records, tenant);
  const last = ended.at(-1) as TenantRecord;
  const stray = records.recordsOf(last).writeOnce;
  await stray.putIfAbsent("position-key", Uint8Array.of(1));
  const next = await create(records, "next");
  await records.tenantDeletions.begin("next", AT);

  const drop = async ({ number }: { readonly number: number }) => {
    if (number === failing.number) throw new Error("its files cannot be removed");
  };
  const deployment = { tenantDeletions: records.tenantDeletions, tenants: { drop }, now: () => new Date(AT) };
  const job = deleteTenantsRegularly(deployment, log, { intervalMs: 20, lookMs: 20 });
  onTestFinished(() => job.stop());
  await waitFor(async () => expect((await records.tenants.find(next.id))?.deletedAt).toBeDefined());
  await waitFor(async () => expect([...(await stray.putIfAbsent("position-key", Uint8Array.of(2)))]).toEqual([2]));
});
