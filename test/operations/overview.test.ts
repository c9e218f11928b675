import { expect, test } from "vitest";
import { capture } from "#service/memories/capture.ts";
import { overview } from "#service/operations/overview.ts";
import { reset } from "#service/operations/reset.ts";
import { testDeps } from "#test/support/deps.ts";

test("counts memories again only after a capture or a reset", async () => {
  const deps = testDeps();
  const { counts } = deps.records.memories;
  let counted = 0;
  Object.assign(deps.records.memories, {
    counts() {
      counted += 1;
      return counts();
    },
  });
  const total = async () => (await overview(deps)).memories.total;
  expect([await total(), await total(), counted]).toEqual([0, 0, 1]);
  await capture(deps, { namespace: "n", content: "c", sourceAgent: "s" });
  expect([await total(), await total(), counted]).toEqual([1, 1, 2]);
  await reset(deps, "test");
  expect([await total(), counted]).toEqual([14, 3]);
});
