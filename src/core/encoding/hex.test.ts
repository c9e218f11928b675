import fc from "fast-check";
import { expect, test } from "vitest";
import { setToHex, toHex } from "./hex.ts";

test("every byte is two lowercase digits", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(toHex(bytes)).toBe(Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    }),
  );
});

test.each([
  ["capital letters", (bytes: Uint8Array) => Buffer.from(bytes).toString("hex").toUpperCase()],
  ["the bytes around a part of an array", (bytes: Uint8Array) => Buffer.from(bytes.buffer).toString("hex")],
])("an implementation that gives %s is refused", (_, other) => {
  expect(() => setToHex(other)).toThrow("not hex");
});
