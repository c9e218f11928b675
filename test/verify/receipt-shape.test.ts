// Core cannot import the contract, so the rules of a receipt are written twice. These tests hold both to the same result.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foreignReceipt } from "#contract/schemas/resources.ts";
import { isReceipt, receiptFault } from "#core/receipt/receipt-shape.ts";
import { RECEIPT } from "#test/support/bodies.ts";
import { codePoint } from "#test/support/code-point.ts";
import { runs } from "#test/support/runs.ts";

const NAMES = ["", "a", " a", "a ", "a\nb", "é", "e\u0301", "a".repeat(64), "a".repeat(65), "😀".repeat(64), "\ud800"];
const TEXTS = ["a".repeat(128), "a".repeat(129), "a".repeat(256), "a".repeat(257), "\u0000", "\t\n", "x".repeat(8_001)];
const TIMES = [
  "2026-05-01T10:00:00Z",
  "2026-05-01T10:00:00.123456789Z",
  "2026-05-01T10:00:00+02:00",
  "2026-05-01T10:00:00-24:00",
  "2026-05-01T10:00:00",
  "2026-05-01T10:00",
  "2026-05-01T10:00Z",
  "2026-05-01T10",
  "2026-05-01",
  "2026-05-01 10:00:00Z",
  "2026-05-01T24:00:00Z",
  "2026-05-01T10:60:00Z",
  "2026-05-01T10:00:60Z",
  "2026-02-29T10:00:00Z",
  "2024-02-29T10:00:00Z",
  "2000-02-29T10:00:00Z",
  "1900-02-29T10:00:00Z",
  "2026-02-30T10:00:00Z",
  "2026-04-31T10:00:00Z",
  "2026-13-01T10:00:00Z",
  "2026-00-01T10:00:00Z",
  "2026-01-00T10:00:00Z",
  "0000-02-29T10:00:00Z",
  "+02026-05-01T10:00:00Z",
  "2026-05-01T10:00:00Z\n",
  "2026-05-01t10:00:00z",
  "yesterday",
];

const values = fc.oneof(
  fc.constantFrom<unknown>(...NAMES, ...TEXTS, ...TIMES, true, false, 0, 1e300, null, undefined),
  fc.string({ unit: codePoint, maxLength: 20 }),
  fc.jsonValue(),
);
const [USED = {}] = RECEIPT.usedMemories;
const some = (good: object, keys: readonly string[]) =>
  fc.tuple(fc.constantFrom(...keys, "note", "__proto__"), values).map(([key, value]) => {
    const spoiled = new Map<string, unknown>([...Object.entries(good), [key, value]]);
    if (value === undefined) spoiled.delete(key);
    return Object.fromEntries(spoiled);
  });

const receipts = fc.oneof(
  values,
  some(RECEIPT, Object.keys(RECEIPT)),
  fc.array(some(USED, Object.keys(USED)), { maxLength: 3 }).map((usedMemories) => ({ ...RECEIPT, usedMemories })),
  fc.array(values, { maxLength: 3 }).map((blockedNamespaces) => ({ ...RECEIPT, blockedNamespaces })),
  fc.constantFrom(256, 257).map((n) => ({ ...RECEIPT, usedMemories: Array(n).fill(USED) })),
  fc.constantFrom(1_000, 1_001).map((n) => ({ ...RECEIPT, blockedNamespaces: Array(n).fill("a") })),
);

/** Without lone surrogates: the contract refuses them in any field, but in core that is another check. */
const wellFormed = (value: unknown): unknown =>
  value === null || typeof value !== "object" ? value : JSON.parse(JSON.stringify(value).replace(/\\ud[89a-f]../g, ""));

describe("the shape of a receipt", () => {
  test("accepts exactly what the contract's schema accepts", () => {
    fc.assert(
      fc.property(receipts.map(wellFormed), (value) => {
        expect(isReceipt(value)).toBe(foreignReceipt.safeParse(value).success);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.each(TIMES)("agrees with the contract's schema about the time %j", (createdAt) => {
    const receipt = { ...RECEIPT, createdAt };
    expect(isReceipt(receipt)).toBe(foreignReceipt.safeParse(receipt).success);
  });

  test("names the field that does not fit, and why", () => {
    expect(receiptFault(RECEIPT)).toBeUndefined();
    expect(receiptFault([])).toBe("it must be an object");
    expect(receiptFault({ ...RECEIPT, agentId: 1 })).toBe("its agentId must be a string");
    const usedMemories = [USED, { ...USED, verified: "yes" }];
    expect(receiptFault({ ...RECEIPT, usedMemories })).toBe("its usedMemories/1/verified must be true or false");
  });
});
