import { expect, onTestFinished, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";

const AT = "2026-01-02T03:04:05.678Z";
const RULE = { agentId: "x", namespace: "n" };
const STAMP = { by: "tester", at: AT };

test("records of a tenant that are opened again share their fence with whoever uses the former ones", async () => {
  const deployment = sqliteRecords({ path: ":memory:" });
  onTestFinished(() => deployment.close());
  const tenant = await deployment.tenants.create("a", AT);
  if (tenant === undefined) throw new Error("no tenant");
  const former = deployment.recordsOf(tenant);
  await former.policy.set({ ...RULE, allowed: true }, STAMP);
  const { promise, resolve } = Promise.withResolvers<void>();
  const readSet = { agentId: "x", namespaces: ["n"], memoryIds: [], policyVersion: 1, removals: 0 };
  const passing = former.policy.passFence(readSet, () => promise);
  await former.close();
  const again = deployment.recordsOf(tenant);
  expect(again).not.toBe(former);
  let isRevoked = false;
  const revoking = again.policy.set({ ...RULE, allowed: false }, STAMP).then(() => {
    isRevoked = true;
  });
  await again.ping();
  expect(isRevoked).toBe(false);
  resolve();
  expect(await passing).toBe(true);
  await revoking;
  expect(isRevoked).toBe(true);
});
