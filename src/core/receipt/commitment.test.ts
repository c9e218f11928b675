import fc from "fast-check";
import { expect, test } from "vitest";
import { toHex } from "#core/encoding/digest.ts";
import { commitmentTo, commitToAll, saltOf } from "./commitment.ts";
import { restPath, snippetPath } from "./sealed-form.ts";

const values = fc.jsonValue({ stringUnit: "grapheme" });

test("the salts and commitments of many fields are those of each field alone", () => {
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  const fields = fc.array(fc.tuple(fc.string(), values), { maxLength: 30 });
  fc.assert(
    fc.property(seeds, fields, (seed, all) => {
      const alone = all.map(([path, value]) => {
        const salt = saltOf(seed, path);
        return { path, salt: toHex(salt), commitment: commitmentTo(salt, value) };
      });
      expect(commitToAll(seed, all)).toEqual(alone);
    }),
  );
});

test("a value that is longer than the buffer has the commitment of its whole text", () => {
  const salt = new Uint8Array(32);
  const long = "é".repeat(100_000);
  expect(commitmentTo(salt, long)).not.toBe(commitmentTo(salt, long.slice(0, -1)));
  const [committed] = commitToAll(new Uint8Array(32), [["/answer", long]]);
  expect(committed?.commitment).toBe(commitmentTo(saltOf(new Uint8Array(32), "/answer"), long));
});

test.each([0, 9, 10, 63, 64, 1_000])("the paths of memory %i have its index", (index) => {
  expect(snippetPath(index)).toBe(`/usedMemories/${index}/snippet`);
  expect(restPath(index)).toBe(`/usedMemories/${index}/rest`);
});
