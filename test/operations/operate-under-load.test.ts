import { expect, test } from "vitest";
import { operateUnderLoad } from "#test/torture/operate/operate-under-load.ts";

/** It runs six commands, one after another, which takes long on a busy machine. */
const LONG_MS = 300_000;

test("a database is pruned, backed up and restored under load, and nothing acknowledged is missing", {
  timeout: LONG_MS,
}, async () => {
  const { violations, numbers } = await operateUnderLoad({ answers: 500, seconds: 1, askers: 2, keptSeconds: 1 });
  expect(violations).toEqual([]);
  expect(numbers.answers).toBeGreaterThan(0);
  expect(numbers["of them failed"]).toBe(0);
});
