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

  test("has at most 64 terms", () => {
    const query = Array.from({ length: 500 }, (_, i) => `word${i}`).join(" ");
    expect(read(query).terms.length).toBe(64);
  });
});
