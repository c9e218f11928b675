import { expect, test } from "vitest";
import { areSimilar, differByTypingError, stemOf, wordsOf } from "./stems.ts";

test.for([
  ["flies", "fly"],
  ["flying", "fly"],
  ["running", "runs"],
  ["saved", "saves"],
  ["savings", "saving"],
  ["allergies", "allergy"],
  ["planned", "plan"],
  ["expires", "expire"],
] as const)("%s and %s have the same stem", ([a, b]) => {
  expect(stemOf(a)).toBe(stemOf(b));
});

test.for(["dress", "this", "bus", "bed", "red", "ring", "is"])("%s is its own stem", (word) => {
  expect(stemOf(word)).toBe(word);
});

test("words that differ in their endings are similar", () => {
  expect(areSimilar("allergic", "allergy")).toBe(true);
  expect(areSimilar("vegetarian", "vegetarisch")).toBe(true);
  expect(areSimilar("insurance", "insulin")).toBe(false);
  expect(areSimilar("run", "rum")).toBe(false);
});

test("one typing error is forgiven, two are not, and never in the first letter", () => {
  for (const typed of ["diner", "dinnner", "dimner", "dinenr"])
    expect(differByTypingError("dinner", typed), typed).toBe(true);
  for (const typed of ["dimmer", "dne", "winner", "dinners!"])
    expect(differByTypingError("dinner", typed), typed).toBe(false);
});

test("case, accents and apostrophes do not count, and elisions are split", () => {
  expect(wordsOf("I can’t EAT crème brûlée")).toEqual(["i", "cant", "eat", "creme", "brulee"]);
  expect(wordsOf("l'allergie d’Anna")).toEqual(["l", "allergie", "d", "anna"]);
});

test("scripts without spaces give pairs of characters", () => {
  expect(wordsOf("花粉症 2024")).toEqual(["花粉", "粉症", "2024"]);
});
