import { expect, test } from "vitest";
import { chunksOf, MAX_LINE_BYTES, offsetOfLine } from "./import-job.ts";

test("the chunks cover the file without a gap, each within the limits of bytes and lines", async () => {
  const file = new Blob(Array.from({ length: 1_000 }, (_, i) => `${i} ${"é".repeat(i % 400)}\n`));
  const chunks = await chunksOf(file);
  expect(chunks.map(({ start }) => start)).toEqual([0, ...chunks.slice(0, -1).map(({ end }) => end)]);
  expect(chunks.at(-1)?.end).toBe(file.size);
  expect(Math.max(...chunks.map(({ start, end }) => end - start))).toBeLessThanOrEqual(64 * 1024);
  expect(Math.max(...chunks.map(({ lines }) => lines))).toBeLessThanOrEqual(200);
  for (const { start, end, firstLine, lines } of chunks) {
    const text = await file.slice(start, end).text();
    expect(text.split("\n").length - 1).toBe(lines);
    expect(text.startsWith(`${firstLine - 1} `)).toBe(true);
  }
});

test("the last line needs no line end, and empty lines count", async () => {
  expect(await chunksOf(new Blob(["a\n\n\nb"]))).toEqual([
    { start: 0, end: 5, firstLine: 1, lines: 4, isTooLong: false },
  ]);
});

test("an empty file has no chunks", async () => {
  expect(await chunksOf(new Blob([]))).toEqual([]);
});

test("a line that is too long is a chunk of its own, and the others are sent", async () => {
  const long = "x".repeat(MAX_LINE_BYTES + 1);
  const chunks = await chunksOf(new Blob(["a\n", long, "\nb\n"]));
  expect(chunks.map(({ firstLine, lines, isTooLong }) => ({ firstLine, lines, isTooLong }))).toEqual([
    { firstLine: 1, lines: 1, isTooLong: false },
    { firstLine: 2, lines: 1, isTooLong: true },
    { firstLine: 3, lines: 1, isTooLong: false },
  ]);
});

test("the rest of a file keeps its line numbers", async () => {
  const file = new Blob(["a\nbb\nccc\n"]);
  const [chunk] = await chunksOf(file);
  if (chunk === undefined) throw new Error("the file has one chunk");
  const start = await offsetOfLine(file, chunk, 2);
  expect(await file.slice(start).text()).toBe("ccc\n");
  expect(await chunksOf(file.slice(start), 3)).toEqual([
    { start: 0, end: 4, firstLine: 3, lines: 1, isTooLong: false },
  ]);
});
