import { expect, test, vi } from "vitest";
import { createRecentlyUsed } from "./policy-mirror.ts";

test("a value is made once, and again only after it was left unused for longest, deleted or cleared", () => {
  const make = vi.fn((key: string) => ({ key }));
  const kept = createRecentlyUsed<string, { key: string }>(2);
  const get = (key: string) => kept.get(key, () => make(key));
  const a = get("a");
  get("b");
  expect(get("a")).toBe(a);
  get("c");
  expect(get("a")).toBe(a);
  expect(make).toHaveBeenCalledTimes(3);
  get("b");
  expect(make).toHaveBeenCalledTimes(4);
  kept.delete("a");
  expect(get("a")).not.toBe(a);
  kept.clear();
  get("b");
  expect(make).toHaveBeenCalledTimes(6);
});
