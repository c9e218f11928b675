import { beforeEach, expect, test, vi } from "vitest";
import { storedTenant, storeTenant } from "./session.ts";

const items = new Map<string, string>();

beforeEach(() => {
  items.clear();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => items.set(key, value),
    removeItem: (key: string) => items.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

test("The chosen tenant is kept until there is none", () => {
  storeTenant("acme");
  expect(storedTenant()).toBe("acme");
  storeTenant(undefined);
  expect([storedTenant(), items.size]).toEqual([undefined, 0]);
});

test.for(["", "a b", "acme\r\nx: y", "é"])("What cannot be a tenant's id counts as none: %j", (stored) => {
  storeTenant("acme");
  for (const key of items.keys()) items.set(key, stored);
  expect(storedTenant()).toBeUndefined();
});

test("A browser that refuses storage has no choice on record", () => {
  vi.stubGlobal("localStorage", undefined);
  storeTenant("acme");
  expect(storedTenant()).toBeUndefined();
});
