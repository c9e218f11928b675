// Detection of a possible emergency in a question, in five languages. It prefers a false alarm to a miss: it looks for
// words near each other. In emergency.json a line is a pattern, whose parts may stand in any order; `|` separates
// alternatives, each the beginning of a word, or with `=` the whole word. The advice is fixed text: no memory and no
// model is part of it.
import { type Language, likeliestLanguage } from "#core/text/language.ts";
import { foldedWords } from "#core/text/words.ts";
import emergencies from "./emergency.json" with { type: "json" };

type EmergencyKind = keyof typeof emergencies;

export interface Emergency {
  readonly kind: EmergencyKind;
  readonly language: Language;
  /** Begins with the advice to call for help. */
  readonly advice: string;
}

interface Pattern {
  readonly kind: EmergencyKind;
  readonly language: Language;
  /** One list of alternatives for each part. Every part must occur. */
  readonly parts: readonly (readonly string[])[];
}

const NO_PATTERNS: readonly Pattern[] = [];
/** The parts of a pattern stand at most this many words apart. */
const WINDOW = 6;

const PATTERNS: readonly Pattern[] = Object.entries(emergencies).flatMap(([kind, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([language, { patterns }]) => {
    const named = { kind: kind as EmergencyKind, language: language as Language };
    return patterns.map((line) => ({ ...named, parts: line.split(" ").map((part) => part.split("|")) }));
  }),
);

/** The patterns by the first two letters of their first part, so that most words are compared with none. */
const PATTERNS_BY_START = new Map<string, Pattern[]>();
for (const pattern of PATTERNS) {
  const starts = new Set(pattern.parts[0]?.map((alternative) => alternative.replace("=", "").slice(0, 2)));
  for (const start of starts) PATTERNS_BY_START.set(start, [...(PATTERNS_BY_START.get(start) ?? []), pattern]);
}

/** The emergency that the question may be about. Thoughts of self-harm go before all others. */
export function possibleEmergency(query: string): Emergency | undefined {
  const words = foldedWords(query);
  const found = new Set<Pattern>();
  words.forEach((word, at) => {
    for (const pattern of PATTERNS_BY_START.get(word.slice(0, 2)) ?? NO_PATTERNS) {
      if (occursAt(at, words, pattern)) found.add(pattern);
    }
  });
  if (found.size === 0) return undefined;
  const kind = [...found].some((pattern) => pattern.kind === "self-harm") ? "self-harm" : "medical";
  // Some words are the same in several languages. The rest of the question tells which one it is.
  const language = likeliestLanguage(
    words,
    query,
    [...found].map((pattern) => pattern.language),
  );
  return { kind, language, advice: emergencies[kind][language].advice };
}

function occursAt(at: number, words: readonly string[], { parts: [first = [], ...others] }: Pattern): boolean {
  if (!matchesAny(words[at] ?? "", first)) return false;
  if (others.length === 0) return true;
  const near = words.slice(Math.max(0, at - WINDOW), at + WINDOW + 1);
  return others.every((part) => near.some((word) => matchesAny(word, part)));
}

function matchesAny(word: string, alternatives: readonly string[]): boolean {
  return alternatives.some((alternative) =>
    alternative.startsWith("=") ? word === alternative.slice(1) : word.startsWith(alternative),
  );
}
