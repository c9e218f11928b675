import { expect, test } from "vitest";
import { OPEN } from "#core/identity/principal.ts";
import { capture } from "#service/memories/capture.ts";
import { overview } from "#service/operations/overview.ts";
import { reset } from "#service/operations/reset.ts";
import { setAccess } from "#service/policy/policy.ts";
import { testTenant } from "#test/support/tenant.ts";

test("counts the memories on record, after each capture and each reset", async () => {
  const tenant = testTenant();
  const total = async () => (await overview(tenant)).memories.total;
  expect(await total()).toBe(0);
  await capture(tenant, { namespace: "n", content: "c", sourceAgent: "s" });
  expect((await overview(tenant)).memories).toMatchObject({
    total: 1,
    byNamespace: [{ namespace: "n", count: 1 }],
    bySourceAgent: [{ sourceAgent: "s", count: 1 }],
  });
  await reset(tenant, "test");
  expect(await total()).toBe(14);
});

test("says that it is the demo while nobody else has a memory or a rule in it", async () => {
  const tenant = testTenant();
  const isDemo = async () => (await overview(tenant)).isDemo;
  await reset(tenant, "test");
  await setAccess(tenant, { agentId: "assistant", namespace: "health", allowed: false }, { principal: OPEN });
  expect(await isDemo()).toBe(true);
  expect((await overview({ ...tenant, settings: { ...tenant.settings, seed: "none" } })).isDemo).toBe(false);
  expect((await overview({ ...tenant, settings: { ...tenant.settings, allowReset: false } })).isDemo).toBe(false);
  await setAccess(tenant, { agentId: "mine", namespace: "health", allowed: true }, { principal: OPEN });
  expect(await isDemo()).toBe(false);
  await reset(tenant, "test");
  await capture(tenant, { namespace: "health", content: "c", sourceAgent: "assistant" });
  expect(await isDemo()).toBe(false);
});
