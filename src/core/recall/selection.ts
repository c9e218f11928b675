// Which of the ranked memories are given to an answer. Least data: only what bears on the question, with a few more when
// that is little, because a miss must not hide an allergy.
import type { Question } from "./question.ts";
import type { RankedCandidate, Why } from "./rerank.ts";

/** A memory that was chosen, by the sequence of its capture. */
export interface Selected {
  readonly sequence: number;
  readonly score: number;
  readonly why: Why;
  /** By the table of word vectors, if the search compared it. */
  readonly meaning?: number;
}

/** When fewer memories reach the floor, others are added up to this number. */
export const FEWEST = 4;

/** A search by meaning alone looks at no more memories than this, the newest. */
export const SCANNED_BY_MEANING = 100_000;

/** Measured on LoCoMo: of 12 memories this leaves out every third, and 2 % of the evidence that all 12 hold. */
const MIN_SHARE_OF_BEST = 0.4;
const MIN_MEANING = 0.5;

/** The candidates that bear on the question, best first, `limit` at most. */
export function aboveFloor(
  { hasManySubjects = false }: Pick<Question, "hasManySubjects">,
  ranked: readonly RankedCandidate[],
  limit: number,
): Selected[] {
  const floor = hasManySubjects ? Number.NEGATIVE_INFINITY : MIN_SHARE_OF_BEST * Math.max(0, ranked[0]?.score ?? 0);
  const selected: Selected[] = [];
  for (const candidate of ranked) {
    if (candidate.score < floor || selected.length === limit) break;
    if (bearsOnIt(candidate)) selected.push(toSelected(candidate));
  }
  return selected;
}

/** A z-score alone says nothing: of memories that all miss the question, one is still the best. */
const bearsOnIt = ({ own, inherited, meaning, date }: RankedCandidate): boolean =>
  own > 0 || inherited > 0 || date > 0.5 || meaning >= MIN_MEANING;

function toSelected(candidate: RankedCandidate): Selected {
  const { sequence, score, meaning, meaningBy } = candidate;
  const why = whyOf(candidate);
  return meaningBy === "table" ? { sequence, score, why, meaning } : { sequence, score, why };
}

export function whyOf({ terms, own, inherited, meaning, meaningBy, date }: RankedCandidate): Why {
  const content = terms.filter(({ isContent }) => isContent).map(({ term }) => term);
  const why: Writable<Why> = {};
  if (content.length > 0) why.terms = content;
  if (date > 0) why.date = true;
  if (meaning !== 0) {
    why.meaning = rounded(meaning);
    why.meaningBy = meaningBy;
  }
  if (inherited > own) why.neighbour = true;
  return why;
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Two decimals: more would only make replies longer. */
export const rounded = (value: number): number => Math.round(value * 100) / 100;

/** Adds memories up to `FEWEST`: those that are closest in meaning, then the newest, which are read only if needed. */
export function fill(
  chosen: readonly Selected[],
  closest: readonly { readonly sequence: number; readonly meaning: number }[],
  newest: () => readonly number[],
): Selected[] {
  const filled = [...chosen];
  function add(sequence: number, why: Why, meaning?: number): void {
    const isChosen = filled.some((selected) => selected.sequence === sequence);
    if (filled.length < FEWEST && !isChosen)
      filled.push({ sequence, score: 0, why, ...(meaning !== undefined && { meaning }) });
  }
  for (const { sequence, meaning } of closest)
    if (meaning > 0) add(sequence, { meaning: rounded(meaning), meaningBy: "table" }, meaning);
  if (filled.length < FEWEST) for (const sequence of newest()) add(sequence, { newest: true });
  return filled;
}
