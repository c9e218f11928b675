import { expect, test } from "vitest";
import { mondayOf, weeksBetween } from "./week.ts";

test("a week begins on Monday at midnight, UTC", () => {
  expect(mondayOf("2026-03-08T23:59:59.999Z")).toBe("2026-03-02");
  expect(mondayOf("2026-03-09T00:00:00.000Z")).toBe("2026-03-09");
  expect(mondayOf("2026-03-09")).toBe("2026-03-09");
});

test("a range has every week that it touches, across a change of the year", () => {
  expect(weeksBetween("2025-12-31T12:00:00.000Z", "2026-01-12T00:00:00.000Z")).toEqual(["2025-12-29", "2026-01-05"]);
  expect(weeksBetween("2026-03-09T00:00:00.000Z", "2026-03-09T01:00:00.000Z")).toEqual(["2026-03-09"]);
});
