import fc from "fast-check";
import { expect, test } from "vitest";
import { isBlobId, isDerivedBlobId } from "./blob-id.ts";

test("any URL-safe text of 1 to 128 characters is a blob id", () => {
  const characters = [..."ABCXYZabcxyz0189-_.~="];
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...characters), minLength: 1, maxLength: 128 }), (text) => {
      expect(isBlobId(text)).toBe(/[^.]/.test(text));
    }),
  );
});

test("a text that is empty, too long, a path, or not URL-safe is no blob id", () => {
  const texts = ["", "a".repeat(129), ".", "..", "a/b", "../a", "a?b", "a#b", "a b", "a\n", "\na", "é", "%2e", "a:b"];
  for (const text of texts) expect(isBlobId(text), JSON.stringify(text)).toBe(false);
});

test("only 43 characters of base64url can be an id that follows from the bytes", () => {
  expect(isDerivedBlobId("M4hsZGQ1oCktdzegB6HnI6Mi28S2nqOPHxK-W7_4BUk")).toBe(true);
  for (const text of ["a", "a".repeat(42), "a".repeat(44), ".".repeat(43), "~".repeat(43)])
    expect(isDerivedBlobId(text)).toBe(false);
});
