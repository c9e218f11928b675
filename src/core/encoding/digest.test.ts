import { createHash } from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { base64urlOf, digestOf, digestOfText, setBlake2b256, setKeyedBlake2b256, setToHex, toHex } from "./digest.ts";

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

describe("another implementation", () => {
  const blake = (bytes: Uint8Array) => blake2b(bytes, { dkLen: 32 });
  const keyed = (key: Uint8Array) => (bytes: Uint8Array) => blake2b(bytes, { key, dkLen: 32 });
  const sampleKey = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
  const sha = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest();
  const until = (length: number) => (bytes: Uint8Array) => blake(bytes.subarray(0, length));

  test.each([
    ["another hash", sha],
    ["one of the first block", until(128)],
    ["one of the first 999 bytes", until(999)],
    ["one with a key", keyed(sampleKey)],
  ])("is refused: %s", (_, other) => {
    expect(() => setBlake2b256(other)).toThrow("not blake2b256");
  });

  test.each([
    ["without the key", () => blake],
    ["of the first block", (key: Uint8Array) => (bytes: Uint8Array) => keyed(key)(bytes.subarray(0, 128))],
    ["of another key", () => keyed(sampleKey.toReversed())],
  ])("is refused with a key: %s", (_, other) => {
    expect(() => setKeyedBlake2b256(other)).toThrow("not keyed blake2b256");
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
