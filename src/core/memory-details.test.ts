import { describe, expect, test } from "vitest";
import { detailsOf, factText, metadataFault, spanOf, storedDetails } from "./memory.ts";

const FACT = { namespace: "n", content: "c", sourceAgent: "s" };
const HOSTILE = JSON.parse('{"__proto__":"p","constructor":1,"a":true}');

test("a fact without details has the three members of the specification", () => {
  expect(factText({ ...FACT, ...detailsOf({}) })).toBe('{"content":"c","namespace":"n","sourceAgent":"s"}');
  expect(factText({ ...FACT, ...detailsOf({ metadata: {} }) })).toBe(factText(FACT));
});

test("details are part of the blob, in canonical order, whatever their names are", () => {
  const details = detailsOf({ occurredAt: "2026-05-07T10:00:00+02:00", metadata: HOSTILE });
  expect(factText({ ...FACT, ...details })).toBe(
    '{"content":"c","metadata":{"__proto__":"p","a":true,"constructor":1},"namespace":"n","occurredAt":"2026-05-07T08:00:00.000Z","sourceAgent":"s"}',
  );
  expect(Object.getPrototypeOf(details.metadata)).toBeNull();
  const stored = storedDetails({ occurredAt: null, metadata: JSON.stringify(HOSTILE) });
  expect(Object.getPrototypeOf(stored.metadata)).toBeNull();
  expect(Object.entries(stored.metadata ?? {})).toEqual(Object.entries(HOSTILE));
});

test("a date is a day in UTC, and a time a moment", () => {
  expect(spanOf("2026-05-07")).toEqual({
    first: Date.UTC(2026, 4, 7),
    last: Date.UTC(2026, 4, 8) - 1,
  });
  expect(spanOf("2026-05-07T10:00:00+02:00").last).toBe(Date.UTC(2026, 4, 7, 8));
});

describe("metadata", () => {
  test.each([
    ["a list", { a: [] }],
    ["null", { a: null }],
    ["an object", JSON.parse('{"__proto__":{}}')],
    ["a number that is not finite", { a: Number.POSITIVE_INFINITY }],
    ["a lone surrogate", { a: "\ud800" }],
    ["a control character", { a: "\u0000" }],
    ["an empty name", { "": 1 }],
    ["a long name", { ["n".repeat(65)]: 1 }],
    ["many members", Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`m${i}`, 1]))],
    ["many bytes", { a: "é".repeat(1_025) }],
  ])("is refused with %s", (_, value) => {
    expect(metadataFault(value)).toBeDefined();
  });

  test("may have 20 members and 2,048 bytes", () => {
    expect(metadataFault(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`m${i}`, ""])))).toBeUndefined();
    expect(metadataFault({ a: "x".repeat(2_048 - '{"a":""}'.length) })).toBeUndefined();
  });
});
