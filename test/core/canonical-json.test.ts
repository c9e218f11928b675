import { existsSync, readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";

const VECTORS = new URL("../vectors/jcs/", import.meta.url);
const RFC_VECTORS = new URL("../../../shared/data/jcs/", import.meta.url);

describe("canonical JSON", () => {
  for (const { input, canonical } of JSON.parse(readFileSync(new URL("canonical.json", VECTORS), "utf8"))) {
    test(`serializes ${input.slice(0, 60)} as the vector says`, () => {
      expect(canonicalJson(JSON.parse(input))).toBe(canonical);
    });
  }

  describe.skipIf(!existsSync(RFC_VECTORS))("equals the RFC's own vectors", () => {
    const names = existsSync(RFC_VECTORS) ? readdirSync(new URL("input/", RFC_VECTORS)) : [];
    test.each(names)("%s", (name) => {
      const value = JSON.parse(readFileSync(new URL(`input/${name}`, RFC_VECTORS), "utf8"));
      const expected = readFileSync(new URL(`output/${name}`, RFC_VECTORS));
      expect(Buffer.from(canonicalJson(value)).equals(expected)).toBe(true);
    });
  });

  test("does not change when it is parsed and serialized again", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "grapheme" }), (value) => {
        const once = canonicalJson(value);
        expect(canonicalJson(JSON.parse(once))).toBe(once);
      }),
    );
  });

  test("does not depend on the order of keys", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "grapheme" }), fc.integer()), (record) => {
        const reversed = Object.fromEntries(Object.entries(record).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(record));
      }),
    );
  });

  test.each([
    ["a lone surrogate", "\ud800"],
    ["a lone surrogate as a key", { "\udc00": 1 }],
    ["NaN", Number.NaN],
    ["an infinity", Number.NEGATIVE_INFINITY],
    ["undefined in an array", [undefined]],
    ["a function", () => 1],
    ["a bigint", 1n],
  ])("refuses %s", (_, value) => {
    expect(() => canonicalJson({ value })).toThrow(expect.objectContaining({ code: "invalid-request" }));
  });

  test("refuses a value that contains itself", () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    expect(() => canonicalJson(cycle)).toThrow(expect.objectContaining({ code: "invalid-request" }));
  });

  test("leaves out members that are undefined", () => {
    expect(canonicalJson({ b: undefined, a: 1, c: undefined, d: -0 })).toBe('{"a":1,"d":0}');
  });

  test("calls no toJSON, whether the keys are in order or not", () => {
    class Odd {
      readonly own = 1;
      toJSON() {
        return "another";
      }
    }
    expect(canonicalJson({ a: new Odd(), b: 2 })).toBe('{"a":{"own":1},"b":2}');
    expect(canonicalJson({ b: 2, a: new Odd() })).toBe('{"a":{"own":1},"b":2}');
    expect(() => canonicalJson({ toJSON: () => "another" })).toThrow(
      expect.objectContaining({ code: "invalid-request" }),
    );
  });

  test("refuses undefined", () => {
    expect(() => canonicalJson(undefined)).toThrow(expect.objectContaining({ code: "invalid-request" }));
  });
});
