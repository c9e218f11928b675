// English-looking memories and questions, the same in every run. The words are those of the table of word vectors, which
// lists them by their frequency, so that every word has a vector. They are drawn with the frequencies of natural text
// (Zipf–Mandelbrot); their order means nothing.
import { readFileSync } from "node:fs";
import { isQuestionWord } from "#core/recall/question.ts";
import { between, createRandom, pick } from "./random.ts";
import { weightedPicker } from "./weighted-picker.ts";

const VOCABULARY = new URL("../../assets/word-vectors/vocabulary.txt", import.meta.url);
const MOST_FREQUENT = "the";
// Mandelbrot's shift: in natural text the most common words are rarer than 1/rank would give.
const SHIFT = 2.7;
/** Names and codes, which no table knows. */
const UNKNOWN_SHARE = 0.02;

const FRAMES = [
  "What did I say about the * and the *?",
  "When is the * with *?",
  "Where did we put the * of *?",
  "Is there anything about * that I should know before the *?",
  "Who told me that * is * and *?",
  "How much was the * for the * *?",
  "Do you remember which * I wanted to have for *?",
  "Tell me about * *.",
];

export interface EnglishText {
  /** A fact of 8 to 16 words. */
  fact(): string;
  /** Question words as people use them, around two or three others. */
  question(): string;
}

export function createEnglishText(seed: number): EnglishText {
  const random = createRandom(seed);
  const words = wordsByFrequency();
  const weights = words.map((_, rank) => 1 / (rank + 1 + SHIFT));
  const anyWord = weightedPicker(words, weights, random);
  const subjects = words.flatMap((word, rank) => (isQuestionWord(word) ? [] : rank));
  const subjectRank = weightedPicker(
    subjects,
    subjects.map((rank) => weights[rank] as number),
    random,
  );
  const code = () => `${pick(words, random).slice(0, 3)}${between(100, 9_999, random)}`;
  const word = () => (random() < UNKNOWN_SHARE ? code() : anyWord());
  return {
    fact: () => `${Array.from({ length: between(8, 16, random) }, word).join(" ")}.`,
    question: () => pick(FRAMES, random).replaceAll("*", () => words[subjectRank()] as string),
  };
}

function wordsByFrequency(): string[] {
  const tokens = readFileSync(VOCABULARY, "utf8").split("\n");
  return tokens.slice(tokens.indexOf(MOST_FREQUENT)).filter((token) => /^[a-z]+$/.test(token));
}
