import fc from "fast-check";
import { expect, test } from "vitest";
import { byUtf8 } from "./utf8-order.ts";

test("strings are compared as their UTF-8 bytes are", () => {
  const text = fc.string({ unit: fc.constantFrom("a", "b", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "😀") });
  fc.assert(
    fc.property(text, text, (a, b) => {
      expect(Math.sign(byUtf8(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});
