import { expect, test } from "vitest";
import { wordsOf } from "#core/text/stems.ts";
import { dateMatch, datesConflict, datesIn } from "./dates.ts";

const dates = (text: string) => datesIn(text, wordsOf(text));

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
  expect(dates(text).months).toEqual([5]);
});

test.for(["What may I eat?", "May I come in?", "It may rain", "MAY I?"])("no month: %s", (text) => {
  expect(dates(text).months).toEqual([]);
});

test.for(["12 May", "May 12th", "12. Mai", "el 12 de mayo", "the 12th of May", "2026-05-12"])(
  "the day is 12 May: %s",
  (text) => {
    expect(dates(text).days).toEqual([512]);
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

test("weekend and weekdays stand for their days, less than the day itself", () => {
  expect(dateMatch(dates("Sunday"), dates("at the weekend"))).toBeGreaterThan(0);
  expect(dateMatch(dates("Sunday"), dates("on weekdays"))).toBe(0);
  expect(dateMatch(dates("Sunday"), dates("on Sundays"))).toBeGreaterThan(
    dateMatch(dates("Sunday"), dates("at the weekend")),
  );
});
