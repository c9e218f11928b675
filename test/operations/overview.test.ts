import { expect, test } from "vitest";
import { capture } from "#service/memories/capture.ts";
import { overview } from "#service/operations/overview.ts";
import { reset } from "#service/operations/reset.ts";
import { testDeps } from "#test/support/deps.ts";

test("counts the memories on record, after each capture and each reset", async () => {
  const deps = testDeps();
  const total = async () => (await overview(deps)).memories.total;
  expect(await total()).toBe(0);
  await capture(deps, { namespace: "n", content: "c", sourceAgent: "s" });
  expect((await overview(deps)).memories).toMatchObject({
    total: 1,
    byNamespace: [{ namespace: "n", count: 1 }],
    bySourceAgent: [{ sourceAgent: "s", count: 1 }],
  });
  await reset(deps, "test");
  expect(await total()).toBe(14);
});
