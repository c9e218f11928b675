import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createOutput } from "./output.ts";

function pass(pieces: readonly string[], limit = 1_000, isCut = false) {
  const passed: string[] = [];
  const output = createOutput(limit, (piece) => passed.push(piece));
  for (const piece of pieces) output.add(piece);
  return { text: output.end(isCut), passed, isFull: output.isFull };
}

describe("the output of a model", () => {
  it("is passed on piece by piece", () => {
    expect(pass(["One", " two"]).passed).toEqual(["One", " two"]);
  });

  it("does not begin before there is something to read", () => {
    expect(pass(["", "\n", " One"]).passed).toEqual(["\n One"]);
    expect(pass([" ", "\n"])).toMatchObject({ text: "", passed: [] });
  });

  it("has no halves of characters, and none that have no other half", () => {
    expect(pass(["a\ud83e", "\udd9c b"]).passed).toEqual(["a", "🦜 b"]);
    expect(pass(["a\ud83e", "b"]).text).toBe("a\ufffdb");
    expect(pass(["a\ud83e"]).text).toBe("a\ufffd");
  });

  it("is cut with a sign that there was more", () => {
    expect(pass(["123456"], 6)).toMatchObject({ text: "123456", isFull: false });
    expect(pass(["1234567"], 6)).toMatchObject({ text: "123456…", isFull: true });
    expect(pass(["12345🦜🦜"], 6).text).toBe("12345…");
    expect(pass(["One"], 6, true).text).toBe("One…");
  });

  it("is the same text however it came in pieces", () => {
    const texts = fc.array(fc.string({ unit: "binary", maxLength: 12 }), { maxLength: 12 });
    const halves = texts.map((list) => list.flatMap((text) => text.split("")));
    fc.assert(
      fc.property(fc.oneof(texts, halves), fc.integer({ min: 1, max: 40 }), (pieces, limit) => {
        const { text, passed } = pass(pieces, limit);
        expect(text).toBe(pass([pieces.join("")], limit).text);
        expect(passed.join("")).toBe(text);
        expect(passed.every((piece) => piece !== "" && piece.isWellFormed())).toBe(true);
        expect(text.length).toBeLessThanOrEqual(limit + 1);
      }),
    );
  });
});
