import { expect, test } from "vitest";
import { parseTime } from "./option-values.ts";

test("a time is a day of the calendar, or a time of day with its zone", () => {
  expect(parseTime("2026-01-01")?.toISOString()).toBe("2026-01-01T00:00:00.000Z");
  expect(parseTime("2026-01-01T12:00:00Z")?.toISOString()).toBe("2026-01-01T12:00:00.000Z");
  expect(parseTime("2024-02-29T01:30:00.5+02:00")?.toISOString()).toBe("2024-02-28T23:30:00.500Z");
  for (const text of ["2026-02-31", "2026-02-29", "01/02/2026", "90", "5", "2026", "", "2026-01-01T12:00:00", "now"])
    expect([text, parseTime(text)]).toEqual([text, undefined]);
});
