import fc from "fast-check";
import { expect, test } from "vitest";
import { limitOutput } from "#adapters/model/openai-compatible/chat-completion.ts";
import { codePoint } from "#test/support/code-point.ts";

function run(pieces: readonly string[], limit = 1_000, isCut = false) {
  const passedOn: string[] = [];
  const output = limitOutput(limit, (piece) => passedOn.push(piece));
  for (const piece of pieces) output.add(piece);
  return { text: output.end(isCut), passedOn, isFull: output.isFull };
}

test("passes on each piece as it comes", () => {
  expect(run(["One", " two"]).passedOn).toEqual(["One", " two"]);
});

test("passes on nothing before the first visible character", () => {
  expect(run(["", "\n", " One"]).passedOn).toEqual(["\n One"]);
  expect(run([" ", "\n"])).toMatchObject({ text: "", passedOn: [] });
});

test("never splits a surrogate pair between pieces, and replaces a surrogate that stands alone", () => {
  expect(run(["a\ud83e", "\udd9c b"]).passedOn).toEqual(["a", "🦜 b"]);
  expect(run(["a\ud83e", "b"]).text).toBe("a\ufffdb");
  expect(run(["a\ud83e"]).text).toBe("a\ufffd");
});

test("cuts what is over the limit, or was cut by the model, and adds an ellipsis", () => {
  expect(run(["123456"], 6)).toMatchObject({ text: "123456", isFull: false });
  expect(run(["1234567"], 6)).toMatchObject({ text: "123456…", isFull: true });
  expect(run(["12345🦜🦜"], 6).text).toBe("12345…");
  expect(run(["One"], 6, true).text).toBe("One…");
});

test("gives the same text however it is divided into pieces", () => {
  const texts = fc.array(fc.string({ unit: codePoint, maxLength: 12 }), { maxLength: 12 });
  const codeUnits = texts.map((list) => list.flatMap((text) => text.split("")));
  fc.assert(
    fc.property(fc.oneof(texts, codeUnits), fc.integer({ min: 1, max: 40 }), (pieces, limit) => {
      const { text, passedOn } = run(pieces, limit);
      expect(text).toBe(run([pieces.join("")], limit).text);
      expect(passedOn.join("")).toBe(text);
      expect(passedOn.every((piece) => piece !== "" && piece.isWellFormed())).toBe(true);
      expect(text.length).toBeLessThanOrEqual(limit + 1);
    }),
  );
});
