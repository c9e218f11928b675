import { describe, expect, test } from "vitest";
import { readQuestion } from "./question.ts";

const read = (query: string) => readQuestion(query, new Date("2026-05-13T22:00:00Z"));

describe("a question", () => {
  test("keeps question words, and tells them from content", () => {
    const terms = read("What may I eat in May?").terms.map(({ term, isContent }) =>
      isContent ? term.toUpperCase() : term,
    );
    expect(terms).toEqual(["#5", "what", "mai", "i", "EAT", "in"]);
  });

  test.each([
    "What do you know about me?",
    "Tell me everything you remember about me.",
    "Was weißt du über mich?",
    "Que sais-tu de moi ?",
    "¿Qué sabes de mí?",
    "Cosa sai di me?",
  ])("%s is about everything", (query) => {
    expect(read(query).isAboutEverything).toBe(true);
  });

  test.each(["What do you know about my knee?", "Hello", "Who are you?", "When is dinner?", ""])(
    "%j is not about everything",
    (query) => {
      expect(read(query).isAboutEverything).toBe(false);
    },
  );

  test("counts what its user named before it in full, and other words of earlier turns little", () => {
    const question = readQuestion("When does it leave?", new Date("2026-05-13T22:00:00Z"), undefined, [
      { role: "user", content: "Tell me about my trip to Lisbon." },
      { role: "assistant", content: "You leave from Berlin." },
    ]);
    const weights = new Map(question.terms.map(({ term, weight }) => [term, weight]));
    expect(Object.fromEntries(weights)).toEqual({
      when: 0.2,
      doe: 0.2,
      it: 0.2,
      leav: 1,
      lisbon: 1,
      trip: 0.2,
      berlin: 0.2,
    });
    expect(question.terms.filter(({ isContent }) => isContent).map(({ term }) => term)).toEqual([
      "leav",
      "lisbon",
      "berlin",
      "trip",
    ]);
  });

  test("has at most 64 terms", () => {
    const query = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
    expect(read(query).terms.length).toBe(64);
  });
});
