import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { closeness, datesIn, dateTerms, questionDates } from "./dates.ts";
import { wordsOf } from "./words.ts";

describe("dates in a text", () => {
  test.for([
    ["Flies to Lisbon on 12 May at 07:40.", [{ month: 5, day: 12 }]],
    ["the 3rd of September", [{ month: 9, day: 3 }]],
    ["May 12th, 2026", [{ month: 5, day: 12, year: 2026 }]],
    [
      "on 2026-05-12 and 2026-06-01",
      [
        { year: 2026, month: 5, day: 12 },
        { year: 2026, month: 6, day: 1 },
      ],
    ],
    ["What is coming up in May?", [{ month: 5 }]],
    ["Was ist im März?", [{ month: 3 }]],
    ["le 4 août 2025", [{ month: 8, day: 4, year: 2025 }]],
    ["el 9 de mayo", [{ month: 5, day: 9 }]],
    ["il 2 giugno", [{ month: 6, day: 2 }]],
    ["What may I eat?", []],
    ["May I have some?", []],
    ["They march on.", []],
    ["2026-13-01", []],
    ["no date at all, 12 of 30", []],
  ] as const)("of %j", ([text, dates]) => {
    expect(datesIn(text)).toEqual(dates);
  });

  test("never fail, and are at most 16", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (text) => {
        expect(datesIn(`${text} 12 May `.repeat(30)).length).toBeLessThanOrEqual(16);
      }),
    );
  });

  test("become terms that no word is like", () => {
    expect(dateTerms([{ month: 5, day: 12 }, { month: 5 }])).toEqual(["#5", "#5-12"]);
  });
});

describe("dates of a question", () => {
  const now = new Date("2026-05-13T22:00:00Z");
  const read = (query: string) => questionDates(query, wordsOf(query), now);

  test("count from now", () => {
    expect(read("What did I say yesterday?")).toEqual([{ year: 2026, month: 5, day: 12 }]);
    expect(read("What is tomorrow?")).toEqual([{ year: 2026, month: 5, day: 14 }]);
    expect(read("last month")).toEqual([{ year: 2026, month: 4 }]);
    expect(read("this week").map(({ day }) => day)).toEqual([11, 12, 13, 14, 15, 16, 17]);
    expect(read("next year")).toEqual([]);
  });

  test("are close to captures of the same days, and not to those of other years", () => {
    const may12 = [{ year: 2026, month: 5, day: 12 }];
    const at = (time: string) => closeness(may12, Date.parse(time));
    expect(at("2026-05-12T09:00:00Z")).toBe(1);
    expect(at("2026-05-15T09:00:00Z")).toBeLessThan(1);
    expect(at("2026-05-15T09:00:00Z")).toBeGreaterThan(at("2026-05-30T09:00:00Z"));
    expect(at("2026-08-12T09:00:00Z")).toBe(0);
    expect(at("2025-05-12T09:00:00Z")).toBe(0);
    expect(closeness([{ month: 5 }], Date.parse("2025-05-31T23:00:00Z"))).toBe(1);
  });
});
