// Forgetting in bulk is resumable: `npm run torture -- forget-many` does the same with 100,000 memories.
import { expect, test } from "vitest";
import { forgetMany } from "#test/torture/forget-many.ts";

/** Half of them take more than one step before the kill, and the rest takes several after it. */
const MEMORIES = 6_000;

test("forgetting many memories goes on after a kill, and forgets each of them once and no other", {
  timeout: 300_000,
}, async () => {
  const { before, after, violations } = await forgetMany({ database: "sqlite", memories: MEMORIES });
  expect(violations).toEqual([]);
  expect(before).toBeGreaterThanOrEqual(MEMORIES / 2);
  expect(after).toBeGreaterThan(0);
});
