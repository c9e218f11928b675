// Narration: the sentences of an answer, in order, and which notes they quote. A note is quoted once.
import { areSimilar, stemOf, wordsOf } from "#core/text/stems.ts";
import { fill, type Phrases } from "./phrases.ts";
import type { Note, Question } from "./reading.ts";
import { inSecondPerson } from "./second-person.ts";

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
    return fresh.map((note) => ({ ...quotationOf(note, question, phrases), source: sourceOf(note, question) }));
  }

  return {
    say(...sentences: readonly (string | undefined)[]): void {
      for (const sentence of sentences) if (sentence !== undefined) add(sentence);
    },
    /** Notes with the usual words before them, and their namespace behind. */
    quote(notes: readonly Note[]): void {
      for (const { text, isSentence, source } of quotationsOf(notes)) {
        const introduction = phrases.say[Math.min(introduced, 2)];
        add(isSentence ? `${text} (${source})` : `${introduction} ${text} (${source})`);
        if (!isSentence) introduced += 1;
      }
    },
    /** Notes after words of their own, which are left out when there is nothing to quote. */
    quoteAfter(introduction: string, notes: readonly Note[]): void {
      const quotations = quotationsOf(notes);
      if (quotations.length > 0) add(introduction);
      quotations.forEach(({ text, isSentence, source }, i) => {
        const continues = i === 0 && isSentence && introduction.endsWith(":");
        add(`${continues ? `${text.charAt(0).toLowerCase()}${text.slice(1)}` : text} (${source})`);
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
    /** `cited` are positions in the prompt of what is quoted, ascending. */
    end(): { text: string; cited: number[] } {
      const text = paragraphs.map((sentences) => sentences.join(" ")).filter((paragraph) => paragraph !== "");
      return { text: text.join("\n\n"), cited: [...cited].sort((a, b) => a - b) };
    },
  };
}

/** The namespace of a note; with its day, if that is asked for and its text does not say it. */
function sourceOf({ namespace, date, dates }: Note, { asksWhen, language }: Question): string {
  if (date === undefined || !asksWhen) return namespace;
  const { days, areOwn } = dates();
  if (days.length > 0 && !areOwn) return namespace;
  return `${namespace}, ${new Date(date).toLocaleDateString(language === "en" ? "en-GB" : language, DAY)}`;
}

const DAY = { dateStyle: "long", timeZone: "UTC" } as const;

// Quotation: the words of a memory, in quotation marks. What is too long is cut at a sentence, and the cut is marked.

const LONGEST_WHOLE = 400;
const LONGEST_EXCERPT = 300;
/** No more of a long memory is searched for the best sentence. */
const SEARCHED = 4_000;
const ELLIPSIS = "…";

// Inner quotation marks become single ones, as printers do. A memory thus cannot close the quotation that it stands in.
const INNER_MARKS: ReadonlyMap<string, string> = new Map([
  ['"', "'"],
  ["“", "‘"],
  ["”", "’"],
  ["„", "‚"],
  ["«", "‹"],
  ["»", "›"],
]);

/** A sentence is in the second person, and so without quotation marks. */
function quotationOf({ content }: Note, question: Question, phrases: Phrases) {
  // The rules for the second person are English, so an English note is quoted as it is in other languages.
  const sentence = question.language === "en" ? inSecondPerson(content) : undefined;
  if (sentence !== undefined) return { text: sentence, isSentence: true };
  const quoted = excerptOf(content, question).replace(/["“”„«»]/gu, (mark) => INNER_MARKS.get(mark) ?? mark);
  return { text: fill(phrases.quote, quoted), isSentence: false };
}

function excerptOf(content: string, question: Question): string {
  const whole = content.trim().replace(/\s+/gu, " ");
  if (whole.length <= LONGEST_WHOLE) return whole;
  const sentences = whole.slice(0, SEARCHED).match(/[^.!?…]+[.!?…]*/gu) ?? [whole];
  const hits = sentences.map((sentence) => hitsIn(sentence, question));
  const from = hits.indexOf(Math.max(...hits));
  let excerpt = "";
  let next = from;
  while (next < sentences.length && excerpt.length + (sentences[next]?.length ?? 0) <= LONGEST_EXCERPT) {
    excerpt += sentences[next++];
  }
  if (excerpt === "") excerpt = cutAtWord(sentences[from] ?? whole);
  const isCut = next < sentences.length || whole.length > SEARCHED;
  const ending = !isCut || excerpt.endsWith(ELLIPSIS) ? "" : ` ${ELLIPSIS}`;
  return `${from > 0 ? `${ELLIPSIS} ` : ""}${excerpt.trim()}${ending}`;
}

function hitsIn(sentence: string, { keywords }: Question): number {
  const stems = wordsOf(sentence).map(stemOf);
  return keywords.filter(({ stem }) => stems.some((other) => areSimilar(stem, other))).length;
}

function cutAtWord(sentence: string): string {
  const cut = sentence.slice(0, LONGEST_EXCERPT);
  const space = cut.lastIndexOf(" ");
  // Without a space, the cut must not split a surrogate pair.
  const end = space > LONGEST_EXCERPT / 2 ? space : LONGEST_EXCERPT - (cut.isWellFormed() ? 0 : 1);
  return `${cut.slice(0, end)}${ELLIPSIS}`;
}
