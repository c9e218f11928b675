import fc from "fast-check";
import { expect, test } from "vitest";
import { byImportance, inKeptOrder } from "./use-kept-order.ts";

const names = fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 12 });

test("a kept order has the same names as the fresh one, and moves none of those that it had", () => {
  fc.assert(
    fc.property(names, names, (sorted, kept) => {
      const order = inKeptOrder(sorted, kept);
      expect(order.toSorted()).toEqual(sorted.toSorted());
      const stayed = kept.filter((name) => sorted.includes(name));
      expect(order.slice(0, stayed.length)).toEqual(stayed);
    }),
  );
});

test("open gates come first, then namespaces with many memories, then names in their order", () => {
  const counts = new Map([
    ["a", 1],
    ["b", 9],
    ["c", 1],
  ]);
  const open = new Set(["c", "d"]);
  expect(
    byImportance(
      ["d", "b", "a", "c"],
      (name) => open.has(name),
      (name) => counts.get(name),
    ),
  ).toEqual(["c", "d", "b", "a"]);
});
