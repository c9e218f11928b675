import { describe, expect, test } from "vitest";
import { wordsOf } from "#core/text/stems.ts";
import { dateMatch, datesConflict, datesIn } from "./dates.ts";

const dates = (text: string, today?: Date) => datesIn(text, wordsOf(text), today);

test.for([
  "What is coming up in May?",
  "what happens in may",
  "Flies on 12 May",
  "on May 12th",
  "am 12. Mai",
  "le 12 mai",
  "el 12 de mayo",
  "il 12 maggio",
  "2026-05-12",
])("the month is May: %s", (text) => {
  expect(dates(text).months.map((month) => month % 100)).toEqual([5]);
});

test.for(["What may I eat?", "May I come in?", "It may rain", "MAY I?"])("no month: %s", (text) => {
  expect(dates(text).months).toEqual([]);
});

test.for(["12 May", "May 12th", "12. Mai", "el 12 de mayo", "the 12th of May", "2026-05-12"])(
  "the day is 12 May: %s",
  (text) => {
    expect(dates(text).days.map((day) => day % 10_000)).toEqual([512]);
  },
);

test.for(["on Friday", "Friday's dinner", "Fridays", "am Freitag", "vendredi", "el viernes", "venerdì"])(
  "the weekday is Friday: %s",
  (text) => {
    expect(dates(text).weekdays).toEqual([5]);
  },
);

test("a day matches better than its month, and another day of the month does not match", () => {
  const asked = dates("9 May");
  expect(dateMatch(asked, dates("on 9 May at ten"))).toBeGreaterThan(
    dateMatch(dates("in May"), dates("on 9 May at ten")),
  );
  expect(dateMatch(asked, dates("12 May"))).toBe(0);
  expect(datesConflict(asked, dates("12 May"))).toBe(true);
  expect(datesConflict(asked, dates("on Friday"))).toBe(false);
});

describe("of a question on Friday, 1 May 2026", () => {
  const asked = (text: string) => dates(text, new Date("2026-05-01"));

  test.for([
    ["What is on tomorrow?", "on 2 May", "on Saturday", "on 2 May 2025"],
    ["What happens next week?", "2026-05-04", "every Monday", "on 1 May"],
    ["What did I do last week?", "2026-04-20", "on 26 April 2026", "every Monday"],
    ["What did I do last month?", "2026-04-02", "in April", "2025-04-02"],
    ["Was hatte ich gestern?", "2026-04-30", "am 30. April", "am Freitag"],
  ])("%s: %s, %s, and not %s", ([question = "", one = "", another = "", other = ""]) => {
    expect(dateMatch(asked(question), dates(one))).toBeGreaterThan(0);
    expect(dateMatch(asked(question), dates(another))).toBeGreaterThan(0);
    expect(dateMatch(asked(question), dates(other))).toBe(0);
  });

  test("what names another day is not told for its weekday", () => {
    expect(dateMatch(asked("tomorrow"), dates("on Saturday, 9 May"))).toBe(0);
  });
});

test("another year is another date, if both name one", () => {
  expect(dateMatch(dates("12 May 2026"), dates("2025-05-12"))).toBe(0);
  expect(dateMatch(dates("in May 2026"), dates("2025-05-12"))).toBe(0);
  expect(dateMatch(dates("in May"), dates("2025-05-12"))).toBeGreaterThan(0);
});

test("weekend and weekdays stand for their days, less than the day itself", () => {
  expect(dateMatch(dates("Sunday"), dates("at the weekend"))).toBeGreaterThan(0);
  expect(dateMatch(dates("Sunday"), dates("on weekdays"))).toBe(0);
  expect(dateMatch(dates("Sunday"), dates("on Sundays"))).toBeGreaterThan(
    dateMatch(dates("Sunday"), dates("at the weekend")),
  );
});
