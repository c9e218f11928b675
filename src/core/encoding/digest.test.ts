import { describe, expect, test } from "vitest";
import { digestOf, digestOfText } from "./digest.ts";

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
