import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { cutText } from "./fit-memories.ts";

const within = (limit: number) => (text: string) => text.length <= limit;

describe("a text that is cut", () => {
  test.each([
    [
      "ends with the last sentence that fits",
      "It hurts. It still hurts. It hurt yesterday.",
      30,
      "It hurts. It still hurts.",
    ],
    ["keeps the quote marks of a sentence", "“It hurts.” She said so to the doctor.", 20, "“It hurts.”"],
    ["does not take a decimal point for the end of a sentence", "It is 10.5 mg now", 8, "It is"],
    ["sees the ends of sentences without spaces", "痛いです。昨日も痛かったです。", 8, "痛いです。"],
    [
      "ends with a line where lines are the sentences",
      "Monday: run\nTuesday: rest\nWednesday: run",
      30,
      "Monday: run\nTuesday: rest",
    ],
    [
      "ends with a word when its only sentence is short",
      "Dr. Lee prescribed a medicine against high blood pressure",
      30,
      "Dr. Lee prescribed a medicine",
    ],
    ["ends within a word when it has no spaces", "x".repeat(50), 20, "x".repeat(20)],
    ["is whole when it fits", "It hurts. It still hurts", 24, "It hurts. It still hurts"],
    ["is empty when nothing fits", "It hurts.", 0, ""],
  ])("%s", (_, text, limit, expected) => {
    expect(cutText(text, within(limit))).toBe(expected);
  });

  const texts = fc.oneof(
    fc.string({ unit: "grapheme", maxLength: 200 }),
    fc
      .array(fc.constantFrom("word", " ", ".", "。", "\n", "🦜", "”", "\u200b"), { maxLength: 80 })
      .map((list) => list.join("")),
  );

  test("is a beginning that fits, keeps about half of what would fit, and splits no surrogate pair", () => {
    fc.assert(
      fc.property(texts, fc.nat({ max: 220 }), (text, limit) => {
        const cut = cutText(text, within(limit));
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(limit);
        expect(cut.isWellFormed()).toBe(true);
        if (text.length <= limit) expect(cut).toBe(text);
        // White space at the end is removed, and may be much of it.
        else
          expect(text.slice(0, Math.max(0, Math.floor(limit / 2) - 1)).trimEnd().length).toBeLessThanOrEqual(
            cut.length,
          );
      }),
    );
  });

  test("ends with a sentence whenever one ends in the second half of what fits", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 20 }),
        fc.nat(),
        (lengths, seed) => {
          const text = lengths.map((length) => `${"w".repeat(length)}.`).join(" ");
          const limit = seed % text.length;
          const ends = [...text.matchAll(/\.(?= )/g)].map(({ index }) => index + 1);
          const last = ends.findLast((end) => end <= limit && end >= Math.ceil(limit / 2));
          if (last !== undefined) expect(cutText(text, within(limit))).toBe(text.slice(0, last));
        },
      ),
    );
  });
});
