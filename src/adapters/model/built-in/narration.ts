// Narration: the sentences of an answer, in order, and which notes they quote. A note is quoted once.

import type { Phrases } from "./phrases/phrases.ts";
import { quotationOf } from "./quotation.ts";
import type { Note } from "./reading/notes.ts";
import type { Question } from "./reading/question.ts";

export type Narration = ReturnType<typeof createNarration>;

export function createNarration(question: Question, phrases: Phrases) {
  const paragraphs: string[][] = [[]];
  const cited = new Set<number>();
  let introduced = 0;

  const add = (text: string) => paragraphs.at(-1)?.push(text);

  /** The quotations that are new, marked as cited. */
  function quotationsOf(notes: readonly Note[]) {
    const fresh = notes.filter(({ position }) => !cited.has(position));
    for (const { position } of fresh) cited.add(position);
    return fresh.map((note) => ({ ...quotationOf(note, question, phrases), namespace: note.namespace }));
  }

  return {
    say(...sentences: readonly (string | undefined)[]): void {
      for (const sentence of sentences) if (sentence !== undefined) add(sentence);
    },
    /** Notes with the usual words before them, and their namespace behind. */
    quote(notes: readonly Note[]): void {
      for (const { text, isSentence, namespace } of quotationsOf(notes)) {
        const introduction = phrases.say[Math.min(introduced, 2)];
        add(isSentence ? `${text} (${namespace})` : `${introduction} ${text} (${namespace})`);
        if (!isSentence) introduced += 1;
      }
    },
    /** Notes after words of their own, which are left out when there is nothing to quote. */
    quoteAfter(introduction: string, notes: readonly Note[]): void {
      const quotations = quotationsOf(notes);
      if (quotations.length > 0) add(introduction);
      quotations.forEach(({ text, isSentence, namespace }, i) => {
        const continues = i === 0 && isSentence && introduction.endsWith(":");
        add(`${continues ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text} (${namespace})`);
      });
    },
    /** Notes of one namespace, which the heading names. */
    quoteUnder(heading: string, notes: readonly Note[]): void {
      add(heading);
      for (const { text } of quotationsOf(notes)) add(text);
    },
    beginParagraph(): void {
      paragraphs.push([]);
    },
    end(): { text: string; cited: number[] } {
      const text = paragraphs.map((sentences) => sentences.join(" ")).filter((paragraph) => paragraph !== "");
      return { text: text.join("\n\n"), cited: [...cited].sort((a, b) => a - b) };
    },
  };
}
