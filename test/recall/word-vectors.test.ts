import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadWordVectors } from "#adapters/meaning/load-word-vectors.ts";
import { createWordVectors, similarity } from "#core/recall/meaning/word-vectors.ts";
import { codePoint } from "#test/support/code-point.ts";

const { embed, dimensions } = await loadWordVectors();
const near = (a: string, b: string) => similarity(embed(a), embed(b));

describe("the table of word vectors", () => {
  test.each([
    ["allergy", "peanut", "keyboard"],
    ["Am I allergic to anything?", "She has a severe peanut allergy.", "The printer is out of paper."],
    ["restaurant", "dinner", "invoice"],
    ["doctor", "hospital", "guitar"],
    ["How is my blood pressure?", "Hypertension, 140 over 90", "The train leaves at noon."],
    ["What pets do I have?", "Her dog is called Rex.", "The rent is due on Friday."],
    ["voiture", "car", "butter"],
  ])("has %s nearer to %s than to %s", (text, nearer, further) => {
    expect(near(text, nearer)).toBeGreaterThan(near(text, further));
  });

  test("counts neither case nor accents nor the order of words", () => {
    expect(embed("Café in Zürich")).toEqual(embed("zurich IN cafe"));
  });

  test("gives zeros for a text without a known word, and zeros are like nothing", () => {
    for (const text of ["", " \n", "\u{1f600}", "x".repeat(10_000)]) {
      expect(embed(text)).toEqual(new Int8Array(dimensions));
      expect(near(text, "allergy")).toBe(0);
      expect(near(text, text)).toBe(0);
    }
  });

  test("always gives 128 components, the largest of them 127", () => {
    const text = fc.oneof(fc.string({ unit: codePoint, maxLength: 300 }), fc.string({ unit: "grapheme" }));
    fc.assert(
      fc.property(text, (text) => {
        const vector = embed(text);
        expect(vector).toHaveLength(128);
        expect([0, 127]).toContain(Math.max(...vector.map(Math.abs)));
        expect(Buffer.from(embed(text)).equals(Buffer.from(vector))).toBe(true);
      }),
    );
  });

  test("is refused when the vectors do not belong to the vocabulary", () => {
    const vectors = new Uint8Array(130);
    expect(() => createWordVectors({ vocabulary: "a\nb\n", vectors })).toThrow("assets/word-vectors");
    expect(createWordVectors({ vocabulary: "a\n", vectors }).embed("a")).toEqual(new Int8Array(128));
  });
});

describe("similarity", () => {
  const vector = fc.int8Array({ minLength: 128, maxLength: 128 });

  test("is the cosine: symmetric, from -1 to 1, and 1 for a vector and itself", () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        expect(similarity(a, b)).toBe(similarity(b, a));
        expect(Math.abs(similarity(a, b))).toBeLessThanOrEqual(1);
        expect(similarity(a, a)).toBe(a.some((value) => value !== 0) ? 1 : 0);
      }),
    );
  });
});

test("vectors of the same texts have the same bytes on every machine", () => {
  // Frozen. They change only with the table or the tokenizer.
  expect(Buffer.from(embed("Severe peanut allergy").subarray(0, 8)).toString("hex")).toBe("13cf3fb7edc40855");
});
