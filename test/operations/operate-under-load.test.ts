import { expect, test } from "vitest";
import { operateUnderLoad } from "#test/torture/operate/operate-under-load.ts";

test("a released database is upgraded, pruned, backed up and restored under load, and nothing acknowledged is missing", async () => {
  const { violations, numbers } = await operateUnderLoad({ answers: 500, seconds: 1, askers: 2, keptSeconds: 1 });
  expect(violations).toEqual([]);
  expect(numbers.answers).toBeGreaterThan(0);
  expect(numbers["of them failed"]).toBe(0);
});
