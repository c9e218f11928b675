import fc from "fast-check";
import { expect, test } from "vitest";
import { claimsOf } from "./claims.ts";
import type { ForeignReceipt } from "./receipt.ts";

function receiptUsing(...namespaces: string[]): ForeignReceipt {
  const used = { snippet: "", storeRef: "b", authorized: true, verified: true };
  const usedMemories = namespaces.map((namespace) => ({ namespace, ...used }));
  return { answerId: "ans_1", agentId: "a", usedMemories, blockedNamespaces: [], createdAt: "2026-01-01T00:00:00Z" };
}

test("claims are the requested namespaces, also if these are none, or else those of the used memories", () => {
  expect(claimsOf(receiptUsing("diet", "health", "diet"))).toEqual(["diet", "health"]);
  expect(claimsOf(receiptUsing("diet"), ["work", "work"])).toEqual(["work"]);
  expect(claimsOf(receiptUsing("diet"), [])).toEqual([]);
});

test("claims are sorted by UTF-8 bytes, without duplicates", () => {
  const names = fc.array(
    fc.string({ unit: "binary", minLength: 1, maxLength: 4 }).filter((name) => name.isWellFormed()),
  );
  fc.assert(
    fc.property(names, (given) => {
      const expected = [...new Set(given)].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(claimsOf(receiptUsing(), given)).toEqual(expected);
    }),
  );
});

test("more than 64 distinct claims are refused, with a pointer to the field", () => {
  const many = Array.from({ length: 65 }, (_, i) => `n${i}`);
  expect(() => claimsOf(receiptUsing(), many)).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ pointer: "#/claimNamespaces" })] }),
  );
  expect(() => claimsOf(receiptUsing(...many))).toThrow(
    expect.objectContaining({ fields: [expect.objectContaining({ pointer: "#/receipt/usedMemories" })] }),
  );
  expect(
    claimsOf(
      receiptUsing(),
      Array.from({ length: 1_000 }, (_, i) => `n${i % 64}`),
    ).length,
  ).toBe(64);
});

test("claims that are too long together for an argument on Sui are refused", () => {
  const long = Array.from({ length: 64 }, (_, i) => "𝕏".repeat(63) + String.fromCodePoint(0x20000 + i));
  expect(() => claimsOf(receiptUsing(), long)).toThrow(expect.objectContaining({ code: "invalid-request" }));
});

test("an answer whose namespaces have names that are too long together cannot be anchored", () => {
  const long = Array.from({ length: 64 }, (_, i) => "𝕏".repeat(63) + String.fromCodePoint(0x20000 + i));
  expect(() => claimsOf(receiptUsing(...long))).toThrow(expect.objectContaining({ code: "invalid-request" }));
});

test("a receipt that was issued here claims what it used, and what is requested beside", () => {
  const receipt = { usedMemories: [{ namespace: "diet" }, { namespace: "health" }] } as never;
  expect(claimsOf(receipt, [], true)).toEqual(["diet", "health"]);
  expect(claimsOf(receipt, ["finance", "diet"], true)).toEqual(["diet", "finance", "health"]);
  expect(claimsOf(receipt, [], false)).toEqual([]);
});
