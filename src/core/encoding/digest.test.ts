import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { base64urlOf, digestOf, digestOfText, setToHex, toHex } from "./digest.ts";

describe("blake2b256", () => {
  test.each([
    ["", "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8"],
    ["abc", "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"],
  ])("of %j is the reference value", (text, hex) => {
    expect(digestOfText(text)).toBe(hex);
  });

  test("of a value is the digest of its canonical JSON", () => {
    expect(digestOf({ b: 1, a: "é" })).toBe(digestOfText('{"a":"é","b":1}'));
  });
});

test("every byte is two lowercase digits", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(toHex(bytes)).toBe(Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join(""));
    }),
  );
});

test("base64url is Node's", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
      expect(base64urlOf(bytes)).toBe(Buffer.from(bytes).toString("base64url"));
    }),
  );
});

test.each([
  ["capital letters", (bytes: Uint8Array) => Buffer.from(bytes).toString("hex").toUpperCase()],
  ["the bytes around a part of an array", (bytes: Uint8Array) => Buffer.from(bytes.buffer).toString("hex")],
])("an implementation that gives %s is refused", (_, other) => {
  expect(() => setToHex(other)).toThrow("not hex");
});
