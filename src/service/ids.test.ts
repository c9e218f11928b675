import { expect, test } from "vitest";
import { newId } from "./ids.ts";

test("ids sort by age and do not repeat", () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => newId("mem", 1_700_000_000_000 + i));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(Array.from({ length: 1_000 }, () => newId("ans", 0))).size).toBe(1_000);
  expect(ids[0]).toMatch(/^mem_[0-9a-hjkmnp-tv-z]{26}$/);
});
