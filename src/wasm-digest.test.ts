import { blake2b } from "@noble/hashes/blake2.js";
import fc from "fast-check";
import { expect, test } from "vitest";
import { blake2b256, setBlake2b256 } from "./core/encoding/digest.ts";
import { installWasmDigest } from "./wasm-digest.ts";

test("gives the digests of the JavaScript implementation, and does not overwrite earlier results", async () => {
  await installWasmDigest();
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

test("an implementation of another function is refused", () => {
  expect(() => setBlake2b256((bytes) => blake2b(bytes, { dkLen: 64 }).slice(0, 32))).toThrow("not blake2b256");
});
