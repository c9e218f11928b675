// Detection of a possible emergency in a question, in five languages. It prefers a false alarm to a miss: it looks for
// words near each other and does not understand the sentence.
import { type Language, likeliestLanguage } from "#core/text/language.ts";
import { foldedWords } from "#core/text/words.ts";
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

const PATTERNS: readonly Pattern[] = Object.entries(EMERGENCY_PATTERNS).flatMap(([kind, byLanguage]) =>
  Object.entries(byLanguage).flatMap(([language, patterns]) => {
    const named = { kind: kind as EmergencyKind, language: language as Language };
    const lines = patterns.trim().split(/\n\s*/);
    return lines.map((line) => ({ ...named, parts: line.split(" ").map((part) => part.split("|")) }));
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

// What is said first when a question may be about an emergency. It is fixed text: no memory and no model is part of it.

const EMERGENCY_ADVICE: Readonly<Record<Language, Readonly<Record<EmergencyKind, string>>>> = {
  en: {
    medical:
      "Please call emergency services now: 112, 911 or your local emergency number. Don't wait to see whether it passes, and try not to be alone.",
    "self-harm":
      "Please call emergency services now: 112, 911 or your local emergency number, or 988 in the US and 116 123 in many European countries to talk to someone. You matter, and you don't have to carry this alone: please stay with somebody you trust.",
  },
  de: {
    medical:
      "Bitte ruf sofort den Notruf: 112, 911 oder deine örtliche Notrufnummer. Warte nicht ab, ob es vorbeigeht, und bleib nicht allein.",
    "self-harm":
      "Bitte ruf sofort den Notruf: 112, 911 oder deine örtliche Notrufnummer, oder die Telefonseelsorge unter 116 123. Du bist wichtig und musst das nicht allein tragen: Bleib bitte bei jemandem, dem du vertraust.",
  },
  fr: {
    medical:
      "Appelle tout de suite les secours : le 112, le 911 ou ton numéro d’urgence local. N’attends pas que ça passe, et ne reste pas sans personne près de toi.",
    "self-harm":
      "Appelle tout de suite les secours : le 112, le 911 ou ton numéro d’urgence local, ou le 3114 en France pour parler à quelqu’un. Tu comptes, et tu n’as pas à porter cela sans aide : reste avec quelqu’un de confiance.",
  },
  es: {
    medical:
      "Llama ahora mismo a emergencias: al 112, al 911 o a tu número local. No esperes a ver si se pasa, y procura no quedarte a solas.",
    "self-harm":
      "Llama ahora mismo a emergencias: al 112, al 911 o a tu número local, o al 024 en España para hablar con alguien. Tu vida importa y no tienes que cargar con esto a solas: quédate con alguien de confianza.",
  },
  it: {
    medical:
      "Chiama subito i soccorsi: il 112, il 911 o il tuo numero di emergenza locale. Non aspettare che passi, e cerca di avere qualcuno vicino.",
    "self-harm":
      "Chiama subito i soccorsi: il 112, il 911 o il tuo numero di emergenza locale. La tua vita conta e non devi affrontare questo senza aiuto: resta con qualcuno di cui ti fidi.",
  },
};
