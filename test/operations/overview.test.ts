import { expect, test } from "vitest";
import { capture } from "#service/memories/capture.ts";
import { overview } from "#service/operations/overview.ts";
import { reset } from "#service/operations/reset.ts";
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
