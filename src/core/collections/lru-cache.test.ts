import { expect, test } from "vitest";
import { lruCache } from "./lru-cache.ts";

test("the values that were not used for longest make room, and a deleted one is gone", () => {
  const cache = lruCache<string>(7, ({ length }) => length + 1);
  for (const key of ["a", "b", "c"]) cache.put(key, key);
  expect(cache.get("a")).toBe("a");
  cache.put("d", "d");
  expect(["a", "b", "c", "d"].map(cache.get)).toEqual(["a", undefined, "c", "d"]);
  cache.delete("a");
  expect(cache.get("a")).toBeUndefined();
  cache.put("long", "xxxx");
  expect(["c", "d", "long"].map(cache.get)).toEqual([undefined, "d", "xxxx"]);
});

test("the newest value stays, whatever its size, and a value that is put again counts once", () => {
  const cache = lruCache<string>(4, ({ length }) => length);
  cache.put("a", "aa");
  cache.put("too long", "x".repeat(10));
  expect(["a", "too long"].map((key) => cache.get(key) !== undefined)).toEqual([false, true]);
  for (const value of ["b", "bb", "bbb"]) cache.put("b", value);
  cache.put("c", "c");
  expect(["b", "c"].map(cache.get)).toEqual(["bbb", "c"]);
});

test("without sizes it keeps so many values, and none after it was cleared", () => {
  const cache = lruCache<object>(2);
  const [first, second, third] = [{}, {}, {}];
  cache.put("1", first);
  cache.put("2", second);
  expect(cache.get("1")).toBe(first);
  cache.put("3", third);
  expect(["1", "2", "3"].map(cache.get)).toEqual([first, undefined, third]);
  cache.clear();
  expect(["1", "2", "3"].map(cache.get)).toEqual([undefined, undefined, undefined]);
});
