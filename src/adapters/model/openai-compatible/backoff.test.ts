import { expect, test } from "vitest";
import { pauseMs } from "./openai-model.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const backoff = (retryAfter: string | undefined, tries = 0, random = 0) =>
  pauseMs(tries, retryAfter, NOW, () => random);

test("waits at least as long as Retry-After says, in seconds or as a date", () => {
  expect(backoff("7")).toBe(7_000);
  expect(backoff("Thu, 01 Jan 2026 00:00:30 GMT")).toBe(30_000);
  expect(backoff("Wed, 31 Dec 2025 00:00:00 GMT")).toBe(0);
  expect(backoff("7", 0, 1)).toBeGreaterThan(7_000);
});

test("doubles with every try, with jitter, when Retry-After is absent or cannot be read", () => {
  for (const header of [undefined, "", "soon", "-1", "1.5", "2026-01-01", "GMT"]) {
    expect([0, 1, 2].map((tries) => backoff(header, tries))).toEqual([250, 500, 1_000]);
    expect([0, 1, 2].map((tries) => backoff(header, tries, 1))).toEqual([500, 1_000, 2_000]);
  }
});
