import { expect, test } from "vitest";
import { newId, newRequestId } from "./ids.ts";

test("ids sort by age and do not repeat", () => {
  const ids = Array.from({ length: 1_000 }, (_, i) => newId("mem", 1_700_000_000_000 + i));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(Array.from({ length: 1_000 }, () => newId("ans", 0))).size).toBe(1_000);
  expect(ids[0]).toMatch(/^mem_[0-9a-hjkmnp-tv-z]{26}$/);
});

test("ids of requests sort by age for 34 years, and do not repeat", () => {
  const begin = 32 ** 8 * 2 - 1;
  const ids = Array.from({ length: 1_000 }, (_, i) => newRequestId(begin + 1 + i * 1_000_000_000));
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(Array.from({ length: 1_000 }, () => newRequestId(begin))).size).toBe(1_000);
  expect(newRequestId(begin)).toMatch(/^z{8}[0-9a-hjkmnp-tv-z]{8}$/);
});
