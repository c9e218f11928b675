import { expect, test } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { ensureFirstKey, revokeKey } from "#service/identity/keys.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { testTenant } from "#test/support/tenant.ts";

test("The first admin's key is made once, and not again after it was revoked", async () => {
  const tenant = testTenant();
  const first = await ensureFirstKey(tenant, "admin");
  expect(first?.record).toMatchObject({ role: "admin", createdBy: "first start" });
  expect(await ensureFirstKey(tenant, "admin")).toBeUndefined();
  await revokeKey(tenant, first?.record.keyId ?? "");
  expect(await ensureFirstKey(tenant, "admin")).toBeUndefined();
});

test("Of replicas that start at once, one makes the first admin's key", async () => {
  const { url } = await databaseForTest();
  const replicas = await Promise.all(Array.from({ length: 4 }, () => postgresRecords({ url, max: 2 })));
  try {
    const made = await Promise.all(
      replicas.map((records) => ensureFirstKey({ records, now: () => new Date() }, "admin")),
    );
    expect(made.filter((key) => key !== undefined)).toHaveLength(1);
    expect((await replicas[0]?.keys.page({ limit: 10 }))?.keys).toHaveLength(1);
  } finally {
    await Promise.all(replicas.map((records) => records.close()));
  }
});
