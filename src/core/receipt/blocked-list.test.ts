import { expect, test } from "vitest";
import { digestOf } from "#core/encoding/digest.ts";
import { blockedFields } from "./blocked-list.ts";

const names = (count: number) => Array.from({ length: count }, (_, i) => `n${String(i).padStart(5, "0")}`);

test("a receipt lists up to 1,000 blocked namespaces, and has no count and no digest then", () => {
  expect(blockedFields(names(1_000))).toEqual({ blockedNamespaces: names(1_000) });
});

test("of more, a receipt lists the first 1,000, with the count and the digest of all", () => {
  const all = names(1_001);
  const expected = { blockedNamespaces: names(1_000), blockedCount: 1_001, blockedDigest: digestOf(all) };
  expect(blockedFields(all)).toEqual(expected);
  expect(blockedFields(all)).toBe(blockedFields(all));
});
