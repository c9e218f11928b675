import fc from "fast-check";
import { expect, test } from "vitest";
import { positionsWith } from "./opaque-positions.ts";

const KEY = Uint8Array.from({ length: 16 }, (_, i) => i);
const positions = positionsWith(KEY);
const anyPosition = fc.record({
  sequence: fc.nat({ max: 2 ** 48 - 1 }),
  atMs: fc.nat({ max: 4_000_000_000 }).map((seconds) => seconds * 1_000),
});

test("Every replica with the key reads a position again, and another log does not", () => {
  fc.assert(
    fc.property(anyPosition, (position) => {
      const text = positions.encode("events", position);
      expect(text).toMatch(/^[\w-]{22}$/);
      expect(positionsWith(KEY).decode("events", text)).toEqual(position);
      expect(positions.decode("decisions", text)).toBeUndefined();
      expect(positionsWith(new Uint8Array(16)).decode("events", text)).toBeUndefined();
    }),
  );
});

test("A text that nobody made is no position", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.stringMatching(/^[\w-]{22}$/)), (text) => {
      expect(positions.decode("events", text)).toBeUndefined();
    }),
  );
});

test("Positions in a row have nothing in common", () => {
  const texts = Array.from({ length: 1_000 }, (_, sequence) => positions.encode("events", { sequence, atMs: 0 }));
  expect(new Set(texts).size).toBe(1_000);
  // Each of the 64 characters is about as frequent as the others; a counter would show in the last ones.
  for (let place = 0; place < 21; place++) expect(new Set(texts.map((text) => text[place])).size).toBeGreaterThan(50);
});
