import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createCitationReader } from "./citation-reader.ts";

function read(pieces: readonly string[], count: number) {
  const reader = createCitationReader(count);
  const passed = [...pieces.map((piece) => reader.add(piece)), reader.end()];
  return { text: passed.join(""), cited: reader.cited() };
}

describe("citations", () => {
  test.each([
    ["before the full stop", "No peanuts [1].", "No peanuts.", [0]],
    ["after the full stop", "No peanuts. [1] Dinner is at eight. [2]", "No peanuts. Dinner is at eight.", [0, 1]],
    ["without a space", "No peanuts[3].", "No peanuts.", [2]],
    ["one after another", "No peanuts [1][3].", "No peanuts.", [0, 2]],
    ["one after another, with commas", "No peanuts [1], [3], and no satay.", "No peanuts, and no satay.", [0, 2]],
    ["in one pair of brackets", "No peanuts [1, 3].", "No peanuts.", [0, 2]],
    ["at the start of a line", "[2] Dinner is at eight.\n[1] No peanuts.", "Dinner is at eight.\nNo peanuts.", [0, 1]],
    [
      "at the end of a line",
      "No peanuts. [1]\n\nDinner is at eight. [2]",
      "No peanuts.\n\nDinner is at eight.",
      [0, 1],
    ],
    ["in a list", "- [1] no peanuts\n- [1] no satay", "- no peanuts\n- no satay", [0]],
  ])("are read and removed: %s", (_, answer, text, cited) => {
    expect(read([answer], 3)).toEqual({ text, cited });
  });

  test.each([
    ["a number that no memory has", "In [2024] and [0] and [4]"],
    ["other brackets", "a [note], [], [x1], [1 or [ 2"],
    ["no brackets", "No peanuts."],
    ["one number of several that no memory has", "No peanuts [1][9]."],
  ])("are not there, and the text stays as it is: %s", (_, answer) => {
    expect(read([answer], 3)).toEqual({ text: answer, cited: undefined });
  });

  test("are not looked for when the prompt holds no memory", () => {
    expect(read(["See [1]."], 0)).toEqual({ text: "See [1].", cited: undefined });
  });

  const tokens = fc.constantFrom(
    "[",
    "]",
    "1",
    "2",
    "[1]",
    " [3]",
    "[9]",
    ",",
    ", ",
    " ",
    "  ",
    "\n",
    "word",
    ".",
    "🦜",
  );

  test("are read the same however the answer is cut into pieces", () => {
    fc.assert(
      fc.property(
        fc.array(tokens, { maxLength: 40 }),
        fc.array(fc.nat({ max: 5 }), { maxLength: 40 }),
        (list, lengths) => {
          const answer = list.join("");
          const pieces: string[] = [];
          let from = 0;
          for (const length of lengths) {
            pieces.push(answer.slice(from, from + length));
            from += length;
          }
          expect(read([...pieces, answer.slice(from)], 3)).toEqual(read([answer], 3));
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test("never change anything but marks and the blanks around them", () => {
    fc.assert(
      fc.property(fc.array(tokens, { maxLength: 40 }), (list) => {
        const bare = (text: string) => text.replace(/[\s[\],;\d]/gu, "");
        const { text, cited } = read([list.join("")], 3);
        expect(bare(text)).toBe(bare(list.join("")));
        if (cited === undefined) expect(text).toBe(list.join(""));
      }),
    );
  });

  test("hold back only what may become a mark", () => {
    const reader = createCitationReader(3);
    expect(reader.add("No peanuts")).toBe("No peanuts");
    expect(reader.add(" [")).toBe("");
    expect(reader.add("2")).toBe("");
    expect(reader.add("] and")).toBe(" and");
    expect(reader.add(" [see")).toBe(" [see");
    expect(reader.end()).toBe("");
    expect(reader.cited()).toEqual([1]);
  });
});
