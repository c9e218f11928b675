// The extractor by rules: what it proposes, and what it never does.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chooseNamespace } from "#core/conversations/choose-namespace.ts";
import { extractFacts } from "#core/conversations/extract-facts.ts";
import { relationOf } from "#core/conversations/known-facts.ts";
import { resolveDates } from "#core/conversations/resolve-dates.ts";
import { hasSecret, withoutSecrets } from "#core/conversations/secrets.ts";
import { codePoint } from "#test/support/code-point.ts";
import { SECRETS } from "./secrets.ts";
import { SMALL_TALK } from "./small-talk.ts";

/** A Wednesday. */
const AT = "2026-11-18T10:00:00Z";
const said = (...contents: string[]) => contents.map((content) => ({ role: "user" as const, content, at: AT }));
const factsIn = (...contents: string[]) => extractFacts(said(...contents)).map(({ content }) => content);

describe("facts", () => {
  test.for([
    ["I'm allergic to peanuts.", "The user is allergic to peanuts."],
    ["Hi, I'm Tom and I live in Rome.", "The user's name is Tom and the user lives in Rome."],
    ["I live in Porto and work as a nurse.", "The user lives in Porto and works as a nurse."],
    ["My name's Tom.", "The user's name is Tom."],
    ["Call me Bo, please.", "The user's name is Bo."],
    ["I'm German.", "The user is German."],
    ["I'm Jewish and I live in Rome.", "The user is Jewish and the user lives in Rome."],
    ["I don't eat meat.", "The user does not eat meat."],
    ["I'm a vegetarian", "The user is a vegetarian."],
    ["I’ve been living in Berlin since 2019.", "The user has been living in Berlin since 2019."],
    ["My sister Anna lives in Rome with her dog.", "The user's sister Anna lives in Rome with her dog."],
    ["My flight to Lisbon leaves tomorrow at 9:40.", "The user's flight to Lisbon leaves on 2026-11-19 at 9:40."],
    ["I have a dentist appointment next Tuesday.", "The user has a dentist appointment on 2026-11-24."],
    ["I adopted a cat two weeks ago!", "The user adopted a cat on 2026-11-04."],
    ["I'm moving to Berlin next month.", "The user is moving to Berlin in December 2026."],
    ["I went to a concert last Saturday.", "The user went to a concert on 2026-11-14."],
    ["I never drink coffee after noon.", "The user never drinks coffee after noon."],
    ["Please remember that the meeting is on Friday at 9.", "The meeting is on 2026-11-20 at 9."],
    ["I'm 34.", "The user is 34."],
    ["Last Friday, I moved to Porto - great!", "The user moved to Porto on 2026-11-13."],
    ["Tomorrow I fly to Rome.", "The user flies to Rome on 2026-11-19."],
    ["Yesterday I bought a red bicycle.", "The user bought a red bicycle on 2026-11-17."],
    ["On Friday I have a dentist appointment.", "The user has a dentist appointment on 2026-11-20."],
    ["Next Tuesday my sister Anna visits Porto.", "The user's sister Anna visits Porto on 2026-11-24."],
    ["I run on Tuesday and Friday mornings.", "The user runs on Tuesday and Friday mornings."],
    ["I play chess on Friday nights.", "The user plays chess on Friday nights."],
    ["I went to a concert yesterday and it was great!", "The user went to a concert on 2026-11-17."],
    ["My favorite color is green.", "The user's favorite color is green."],
    ["My boss gave me a raise yesterday.", "The user's boss gave the user a raise on 2026-11-17."],
    ["By the way, I take 10 mg of cetirizine every morning.", "The user takes 10 mg of cetirizine every morning."],
  ])("%s", ([sentence, fact]) => {
    expect(factsIn(sentence as string)).toEqual([fact]);
  });

  test("name the messages that say them, once for each fact, and take the name that is given", () => {
    const facts = extractFacts(said("I live in Rome.", "Nice weather!", "I live in Rome. I own a boat."), {
      userName: "Tom",
    });
    expect(facts).toEqual([
      { content: "Tom lives in Rome.", confidence: 0.85, derivedFrom: [0, 2], date: undefined },
      { content: "Tom owns a boat.", confidence: 0.85, derivedFrom: [2], date: undefined },
    ]);
  });

  test("of people that the user named as theirs", () => {
    expect(factsIn("My brother Max is a chef.", "Max works in Lyon.", "Bob works in Lyon.")).toEqual([
      "The user's brother Max is a chef.",
      "Max works in Lyon.",
    ]);
  });

  test("are read of the assistant's messages only if asked, and then what they say of the user", () => {
    const messages = [
      { role: "assistant" as const, content: "You are allergic to nuts. I am a model. Rome is nice.", at: AT },
    ];
    expect(extractFacts(messages)).toEqual([]);
    expect(extractFacts(messages, { roles: ["assistant"] }).map(({ content }) => content)).toEqual([
      "The user is allergic to nuts.",
    ]);
  });
});

test("200 and more lines of small talk give no fact", () => {
  expect(SMALL_TALK.length).toBeGreaterThanOrEqual(200);
  expect(SMALL_TALK.filter((line) => factsIn(line).length > 0)).toEqual([]);
  expect(factsIn(...SMALL_TALK)).toEqual([]);
});

describe("secrets", () => {
  test("are found in every sentence that holds one, give no fact, and do not reach a model", () => {
    expect(SECRETS.filter((text) => !hasSecret(text))).toEqual([]);
    expect(SECRETS.filter((text) => factsIn(text).length > 0)).toEqual([]);
    expect(SECRETS.filter((text) => hasSecret(withoutSecrets(`I live in Rome. ${text}`)))).toEqual([]);
  });

  test("take nothing with them but their sentence, and the one after it", () => {
    expect(factsIn("I live in Rome. My password is hunter2. It is good. I own a boat.")).toEqual([
      "The user lives in Rome.",
      "The user owns a boat.",
    ]);
  });

  test("of any card number with its check digit, whatever stands between the digits", () => {
    const body = fc.stringMatching(/^[3-6]\d{11,17}$/);
    fc.assert(
      fc.property(body, fc.constantFrom("", " ", "-", "."), (digits, gap) => {
        const whole = `${digits}${checkDigit(digits)}`;
        const text = `My number is ${(whole.match(/.{1,4}/g) ?? []).join(gap)} today.`;
        return hasSecret(text) && factsIn(text).length === 0 && !withoutSecrets(text).includes(digits.slice(0, 4));
      }),
    );
  });

  test("are none in the facts of ordinary life", () => {
    const plain = [
      "I live at 12 Main Street.",
      "My flight is LH 1234.",
      "I was born in 1987.",
      "I earn 52,000 a year.",
    ];
    expect(plain.filter(hasSecret)).toEqual([]);
  });
});

function checkDigit(digits: string): number {
  const sum = [...digits].toReversed().reduce((all, digit, i) => {
    const value = Number(digit) * (i % 2 === 0 ? 2 : 1);
    return all + (value > 9 ? value - 9 : value);
  }, 0);
  return (10 - (sum % 10)) % 10;
}

describe("properties", () => {
  const word = fc.constantFrom(
    ..."I my am live in Rome work at the you it and not allergic to nuts tomorrow yesterday have a dog Anna password is who".split(
      " ",
    ),
  );
  const sentence = fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 10 }), fc.constantFrom(".", "!", "?", ""))
    .map(([words, end]) => `${words.join(" ")}${end}`);

  test("a fact is one sentence without first and second person, question, secret or open date", () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 5 }), (sentences) => {
        for (const { content, confidence, derivedFrom } of extractFacts(said(...sentences))) {
          expect(content).toMatch(/^\p{Lu}.*\.$/u);
          expect(content).not.toMatch(/\b(?:I|me|my|mine|you|your)\b|\?|password|tomorrow|yesterday/u);
          expect(hasSecret(content)).toBe(false);
          expect(confidence).toBeGreaterThan(0);
          expect(confidence).toBeLessThanOrEqual(1);
          expect(derivedFrom.every((place) => place < sentences.length)).toBe(true);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("any text is read, in bounded time, and the same text gives the same facts", () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, maxLength: 500 }), (text) => {
        expect(factsIn(text)).toEqual(factsIn(text));
      }),
    );
    const began = performance.now();
    for (const text of ["I ".repeat(20_000), "4 ".repeat(20_000), "a-".repeat(20_000), "I am a ".repeat(6_000)])
      factsIn(text);
    expect(performance.now() - began).toBeLessThan(5_000);
  });
});

test.for([
  ["the day after tomorrow", "on 2026-11-20", "2026-11-20"],
  ["in two weeks", "on 2026-12-02", "2026-12-02"],
  ["3 days ago", "on 2026-11-15", "2026-11-15"],
  ["last night", "on 2026-11-17 at night", "2026-11-17"],
  ["tomorrow morning", "on 2026-11-19 in the morning", "2026-11-19"],
  ["next week", "in the week of 2026-11-23", undefined],
  ["this weekend", "on the weekend of 2026-11-21", undefined],
  ["two months ago", "in September 2026", undefined],
  ["last year", "in 2025", undefined],
  ["until next Friday", "until 2026-11-20", "2026-11-20"],
  ["every Monday", "every Monday", undefined],
])("%s is %s", ([text, resolved, date]) => {
  const found = resolveDates(text as string, AT);
  expect([found.text, found.date]).toEqual([resolved, date]);
});

test("a day counts from the day that the writer had", () => {
  expect(resolveDates("tomorrow", "2026-11-18T23:30:00-08:00").text).toBe("on 2026-11-19");
});

test("a fact that is known is the same, and one that has another value is its correction", () => {
  const relations = [
    ["The user is allergic to peanuts.", "I'm allergic to peanuts", "same"],
    ["The user is allergic to peanuts.", "The user is severely allergic to peanuts and shellfish.", "same"],
    ["The user lives in Porto now.", "I moved to Porto", "same"],
    ["The user is 34.", "I'm 34 years old.", "same"],
    ["The user is 35.", "I'm 34 years old.", "contradicts"],
    ["The user does not live in Porto.", "The user moved to Porto.", undefined],
    ["The user lives in Porto.", "I live in Lisbon.", "contradicts"],
    ["The user moved to Porto.", "Lives in Lisbon", "contradicts"],
    ["The user does not eat meat.", "The user eats meat.", "contradicts"],
    ["The user hates coriander.", "The user likes coriander.", "contradicts"],
    ["The user's favorite color is green.", "My favorite color is blue.", "contradicts"],
    ["The user's flight leaves on 2026-11-19.", "The user's flight leaves on 2026-11-20.", "contradicts"],
    ["The user went running on 2026-11-19.", "The user went running on 2026-11-12.", undefined],
    ["The user's sister is a nurse.", "The user's sister is allergic to nuts.", undefined],
    ["The user owns a dog.", "The user lives in Rome.", undefined],
  ] as const;
  for (const [fact, memory, relation] of relations)
    expect([fact, memory, relationOf(fact, memory)]).toEqual([fact, memory, relation]);
});

test("a namespace is chosen by its name, its description, or the memories that it has; what fits none has none", () => {
  const namespaces = [{ name: "health" }, { name: "travel" }, { name: "n1", description: "The garden and its plants" }];
  const chosen = (fact: string) =>
    chooseNamespace(fact, namespaces, [{ namespace: "travel", content: "The red boat is in Porto" }]);
  expect(chosen("The user is allergic to peanuts.")).toBe("health");
  expect(chosen("The user's flight to Lisbon leaves on 2026-11-19.")).toBe("travel");
  expect(chosen("The user planted roses in the garden.")).toBe("n1");
  expect(chosen("The user sold the red boat.")).toBe("travel");
  expect(chosen("The user's favorite number is seven.")).toBeUndefined();
});
