import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { blake2b256, hashWith } from "./core/encoding/digest.ts";
import { hashFaster } from "./wasm-digest.ts";

test("is the same function, whatever it hashes, and gives bytes that stay", async () => {
  await hashFaster();
  const seen: [Uint8Array, Uint8Array][] = [];
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      const digest = blake2b256(bytes);
      expect(digest).toEqual(blake2b(bytes, { dkLen: 32 }));
      seen.push([bytes, digest]);
    }),
  );
  for (const [bytes, digest] of seen) expect(digest).toEqual(blake2b(bytes, { dkLen: 32 }));
});

test("refuses another function", () => {
  expect(() => hashWith((bytes) => blake2b(bytes, { dkLen: 64 }).slice(0, 32))).toThrow("not blake2b256");
});
