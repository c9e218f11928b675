import { expect, test } from "vitest";
import { localMinute, timesOf } from "./time-range.ts";

const NOW = Date.parse("2026-11-16T10:00:00.000Z");

test("a named range begins so long ago and has no end", () => {
  expect(timesOf({}, NOW)).toEqual({});
  expect(timesOf({ range: "hour" }, NOW)).toEqual({ from: "2026-11-16T09:00:00.000Z" });
  expect(timesOf({ range: "week", from: "2020-01-01T00:00:00Z" }, NOW)).toEqual({ from: "2026-11-09T10:00:00.000Z" });
});

test("a custom range has the times that are times", () => {
  const from = "2026-11-01T00:00:00.000Z";
  expect(timesOf({ range: "custom", from, to: "2026-11-02T01:00Z" }, NOW)).toEqual({
    from,
    to: "2026-11-02T01:00:00.000Z",
  });
  expect(timesOf({ range: "custom", from: "soon" }, NOW)).toEqual({});
});

test("a time is shown in the reader's zone, and read back as the same minute", () => {
  const iso = "2026-11-01T12:34:56.789Z";
  expect(new Date(localMinute(iso)).getTime()).toBe(Date.parse("2026-11-01T12:34:00.000Z"));
  expect(localMinute("soon")).toBe("");
});

test("a time so far away that no date shows it is none", () => {
  for (const far of ["+275760-09-13T00:00:00.000Z", "-271821-04-20T00:00:00.000Z", "+010000-01-01T00:00Z"]) {
    expect(timesOf({ range: "custom", from: far }, NOW)).toEqual({});
    expect(localMinute(far)).toBe("");
  }
});
