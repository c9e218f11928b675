import { expect, test } from "vitest";
import { LONGEST_LINE, piecesOf, startOfLine } from "./file-chunks.ts";

test("pieces follow one another without a gap, and none is larger than one may be sent", async () => {
  const file = new Blob(Array.from({ length: 1_000 }, (_, i) => `${i} ${"é".repeat(i % 400)}\n`));
  const pieces = await piecesOf(file);
  expect(pieces.map(({ start }) => start)).toEqual([0, ...pieces.slice(0, -1).map(({ end }) => end)]);
  expect(pieces.at(-1)?.end).toBe(file.size);
  expect(Math.max(...pieces.map(({ start, end }) => end - start))).toBeLessThanOrEqual(64 * 1024);
  expect(Math.max(...pieces.map(({ lines }) => lines))).toBeLessThanOrEqual(200);
  for (const { start, end, firstLine, lines } of pieces) {
    const text = await file.slice(start, end).text();
    expect(text.split("\n").length - 1).toBe(lines);
    expect(text.startsWith(`${firstLine - 1} `)).toBe(true);
  }
});

test("the last line needs no line end, and empty lines count", async () => {
  expect(await piecesOf(new Blob(["a\n\n\nb"]))).toEqual([
    { start: 0, end: 5, firstLine: 1, lines: 4, tooLong: false },
  ]);
});

test("an empty file has nothing to send", async () => {
  expect(await piecesOf(new Blob([]))).toEqual([]);
});

test("a line that is too long stands alone, and the others are sent", async () => {
  const long = "x".repeat(LONGEST_LINE + 1);
  const pieces = await piecesOf(new Blob(["a\n", long, "\nb\n"]));
  expect(pieces.map(({ firstLine, lines, tooLong }) => ({ firstLine, lines, tooLong }))).toEqual([
    { firstLine: 1, lines: 1, tooLong: false },
    { firstLine: 2, lines: 1, tooLong: true },
    { firstLine: 3, lines: 1, tooLong: false },
  ]);
});

test("a rest keeps the numbers of its lines", async () => {
  const file = new Blob(["a\nbb\nccc\n"]);
  const [whole] = await piecesOf(file);
  if (whole === undefined) throw new Error("there is one piece");
  const start = await startOfLine(file, whole, 2);
  expect(await file.slice(start).text()).toBe("ccc\n");
  expect(await piecesOf(file.slice(start), 3)).toEqual([{ start: 0, end: 4, firstLine: 3, lines: 1, tooLong: false }]);
});
