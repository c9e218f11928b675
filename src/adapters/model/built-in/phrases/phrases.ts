// The model's own words, one file a language. They hold nothing about the person: that is always quoted.

/** Who speaks: the health companion, or the assistant that every other agent is. */
export type Voice = "assistant" | "companion";

export interface Phrases {
  /** Quotation marks. */
  quote(text: string): string;
  /** A list of namespaces, as in "health, diet and travel". */
  list(names: readonly string[]): string;

  readonly hello: Readonly<Record<Voice, string>>;
  readonly howAreYou: string;
  readonly thanks: Readonly<Record<Voice, string>>;
  readonly goodbye: string;
  readonly identity: Readonly<Record<Voice, string>>;
  readonly abilities: Readonly<Record<Voice, string>>;
  /** To "remember this" and "forget that". */
  readonly cannotWrite: string;
  readonly unclear: string;
  notesOn(names: string): string;
  alsoNotesOn(names: string): string;

  readonly everything: string;
  about(namespace: string): string;
  /** Before the first quotation, the second, and the others. */
  readonly say: readonly [first: string, second: string, others: string];
  readonly keepInMind: string;
  mentionedTwice(word: string): string;

  readonly noNotes: string;
  readonly unknown: string;
  readonly nearest: string;
  noSuchAllergy(word: string): string;
  /** Before notes that may explain a complaint. */
  readonly mayBear: string;
  readonly noClock: string;

  readonly sorry: string;
  readonly seeDoctor: string;
  readonly askBeforeEating: string;
  readonly askAboutMedicine: string;
  readonly ifAnyReaction: string;
  readonly tellHelpers: string;
  readonly tellHelpersInGeneral: string;
  readonly notAlone: string;
}

/** A list with a word before its last item. */
export function joinList(names: readonly string[], and: string): string {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} ${and} ${names.at(-1)}`;
}
