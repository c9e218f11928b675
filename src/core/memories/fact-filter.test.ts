import { expect, test } from "vitest";
import { type FactFilter, passes, readsDetails, wasCurrent } from "./fact-filter.ts";

const MEMORY = {
  namespace: "trips/2026",
  sourceAgent: "planner",
  occurredAt: "2026-05-07",
  metadata: Object.assign(Object.create(null), { topic: "food", legs: 2, urgent: false, ["__proto__"]: "p" }),
};

test.each<[boolean, FactFilter]>([
  [true, {}],
  [true, { namespacePrefix: "trips" }],
  [false, { namespacePrefix: "trip" }],
  [true, { sourceAgent: "planner" }],
  [false, { sourceAgent: "other" }],
  [true, { occurredFrom: "2026-05-07T12:00:00Z" }],
  [false, { occurredFrom: "2026-05-08" }],
  [true, { occurredTo: "2026-05-07T00:00:00Z" }],
  [false, { occurredTo: "2026-05-06" }],
  [true, { occurredFrom: "2026-05-01", occurredTo: "2026-05-07" }],
  [true, { metadata: { topic: "food" } }],
  [true, { metadata: { legs: "2", urgent: "false" } }],
  [false, { metadata: { topic: "food", legs: 3 } }],
  [false, { metadata: { constructor: "x" } }],
  [false, { metadata: { toString: "x" } }],
  [true, { metadata: JSON.parse('{"__proto__":"p"}') }],
])("%s for %j", (expected, filter) => {
  expect(passes(filter, MEMORY)).toBe(expected);
});

test("a memory without details passes no filter of details", () => {
  const plain = { namespace: "n", sourceAgent: "s" };
  expect(passes({}, plain)).toBe(true);
  expect(passes({ occurredTo: "2030-01-01" }, plain)).toBe(false);
  expect(passes({ metadata: { constructor: "x" } }, plain)).toBe(false);
  expect([readsDetails({ sourceAgent: "s" }), readsDetails({ metadata: {} })]).toEqual([false, true]);
});

test("what was captured by then and superseded later was current", () => {
  const memory = { createdAt: "2026-05-02T00:00:00.000Z" };
  expect(wasCurrent(memory, undefined, "2026-05-03T00:00:00.000Z")).toBe(true);
  expect(wasCurrent(memory, "2026-05-04T00:00:00.000Z", "2026-05-03T00:00:00.000Z")).toBe(true);
  expect(wasCurrent(memory, "2026-05-03T00:00:00.000Z", "2026-05-03T00:00:00.000Z")).toBe(false);
  expect(wasCurrent(memory, undefined, "2026-05-01T00:00:00.000Z")).toBe(false);
});
