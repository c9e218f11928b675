import { describe, expect, it } from "vitest";
import { pauseBefore } from "./pause.ts";

const NOW = Date.parse("2026-01-01T00:00:00Z");
const pause = (retryAfter: string | undefined, tried = 0, random = 0) =>
  pauseBefore({ tried, retryAfter, random: () => random, now: NOW });

describe("the pause before another try", () => {
  it("is what the endpoint asked for, in seconds or as a date, and never less", () => {
    expect(pause("7")).toBe(7_000);
    expect(pause("Thu, 01 Jan 2026 00:00:30 GMT")).toBe(30_000);
    expect(pause("Wed, 31 Dec 2025 00:00:00 GMT")).toBe(0);
    expect(pause("7", 0, 1)).toBeGreaterThan(7_000);
  });

  it("grows, with jitter, when it asked for nothing that can be read", () => {
    for (const header of [undefined, "", "soon", "-1", "1.5", "2026-01-01", "GMT"]) {
      expect([0, 1, 2].map((tried) => pause(header, tried))).toEqual([250, 500, 1_000]);
      expect([0, 1, 2].map((tried) => pause(header, tried, 1))).toEqual([500, 1_000, 2_000]);
    }
  });
});
