import { expect, test } from "vitest";
import { byDay, dayName } from "./activity-page.tsx";

const at = (day: number, hour: number) => ({ at: new Date(2026, 0, day, hour).toISOString() });

test("entries of one day stand together, in their order", () => {
  const entries = [at(3, 20), at(3, 1), at(2, 23), at(1, 5)];
  const days = byDay(entries);
  expect(days.map(({ entries }) => entries)).toEqual([[entries[0], entries[1]], [entries[2]], [entries[3]]]);
  expect(byDay([])).toEqual([]);
});

test("today and yesterday have names, and other days a date", () => {
  const now = new Date(2026, 0, 3, 9);
  const names = byDay([at(3, 8), at(2, 23), at(1, 5)]).map(({ date }) => dayName(date, now));
  expect(names).toEqual(["Today", "Yesterday", expect.stringMatching(/^Thursday,? 1 January 2026$/)]);
});
