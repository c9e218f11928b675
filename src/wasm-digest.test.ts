import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { blake2b256, keyedBlake2b256, setBlake2b256, toHex } from "./core/encoding/digest.ts";
import { setSha256 } from "./core/log/sha256.ts";
import { installWasmDigest } from "./wasm-digest.ts";

beforeAll(installWasmDigest);

const texts = fc.uint8Array({ maxLength: 600 });
const keys = fc.uint8Array({ minLength: 32, maxLength: 32 });
const expected = (bytes: Uint8Array, key?: Uint8Array) => blake2b(bytes, { dkLen: 32, ...(key && { key }) });

test("gives the digests of the JavaScript implementation, and does not overwrite earlier results", () => {
  const seen: [Uint8Array, Uint8Array][] = [];
  fc.assert(
    fc.property(texts, (bytes) => {
      const digest = blake2b256(bytes);
      expect(digest).toEqual(expected(bytes));
      seen.push([bytes, digest]);
    }),
  );
  for (const [bytes, digest] of seen) expect(digest).toEqual(expected(bytes));
});

test("gives the keyed digests of the JavaScript implementation, with plain ones in between", () => {
  fc.assert(
    fc.property(keys, texts, texts, (key, bytes, others) => {
      expect(keyedBlake2b256(key)(bytes)).toEqual(expected(bytes, key));
      expect(blake2b256(others)).toEqual(expected(others));
    }),
  );
});

test.each([-129, -128, -1, 0, 1, 128, 129, 128 * 1024])(
  "gives the same digest when the input is %i bytes longer than its memory holds",
  (longer) => {
    const bytes = Uint8Array.from({ length: 128 * 1024 - 128 + longer }, (_, i) => i * 31 + (i >> 8));
    expect(blake2b256(bytes)).toEqual(expected(bytes));
    const key = bytes.slice(0, 32);
    expect(keyedBlake2b256(key)(bytes)).toEqual(expected(bytes, key));
  },
);

test("an implementation of another function is refused", () => {
  expect(() => setBlake2b256((bytes) => blake2b(bytes, { dkLen: 64 }).slice(0, 32))).toThrow("not blake2b256");
  expect(() => setSha256((bytes) => blake2b(bytes, { dkLen: 32 }))).toThrow("not SHA-256");
});

test("hex of a part of an array is that part's alone", () => {
  expect(toHex(Uint8Array.of(1, 0xab, 0x0c, 4).subarray(1, 3))).toBe("ab0c");
});
