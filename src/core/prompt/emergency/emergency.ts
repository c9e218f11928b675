// Detection of a possible emergency in a question, in five languages. It prefers a false alarm to a miss: it looks for
// words near each other and does not understand the sentence.
import { foldedWords } from "#core/prompt/folded-words.ts";
import { type Language, likeliestLanguage } from "#core/prompt/language.ts";
import { EMERGENCY_ADVICE } from "./emergency-advice.ts";
import { EMERGENCY_PATTERNS, type EmergencyKind } from "./emergency-patterns.ts";

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

const PATTERNS: readonly Pattern[] = EMERGENCY_PATTERNS.flatMap(({ kind, language, patterns }) =>
  patterns
    .trim()
    .split("\n")
    .map((line) => ({
      kind,
      language,
      parts: line
        .trim()
        .split(" ")
        .map((part) => part.split("|")),
    })),
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
  return { kind, language, advice: EMERGENCY_ADVICE[language][kind] };
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
