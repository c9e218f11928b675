// The second step of the ranking. It scores the candidates of the first step by their words and those of their
// neighbours in time, by their meaning, and by the dates of the question. Scores of different kinds are added as
// z-scores over the candidates.
import type { Question } from "./question.ts";
import { closeness } from "./text/question-dates.ts";
import type { WeightedTerm } from "./weighted-terms.ts";
import type { Why } from "./why.ts";

/** A memory of the first step, for a memory near it in the same namespace. */
export interface Lender {
  readonly scores: TermScores;
  /** Which neighbour it is: -1 was captured just before, 1 just after, and so on up to `NEIGHBOURS`. */
  readonly distance: number;
}

/** How many memories the first step gives, by their own words. */
export const LEXICAL_CANDIDATES = 200;
/** The neighbours of this many of them are candidates, too. */
export const CANDIDATES_WITH_NEIGHBOURS = 40;

/** What a memory inherits of a term's score from the memories captured before and after it, the nearest first. */
const FROM_PREVIOUS = [0.6, 0.42, 0.3, 0.2];
const FROM_NEXT = [0.4, 0.28, 0.2, 0.14];
export const NEIGHBOURS = FROM_PREVIOUS.length;
const MEANING_WEIGHT = 0.5;
const DATE_WEIGHT = 2;

export type MeaningSource = NonNullable<Why["meaningBy"]>;

/** The scores of one memory by its own words, one for each weighted term. */
export type TermScores = ArrayLike<number>;

export interface Candidate {
  /** The sequence of its capture. */
  readonly sequence: number;
  /** Zeros for a candidate that the first step did not give. */
  readonly own: TermScores;
  /** The neighbours that the first step gave. */
  readonly lenders: readonly Lender[];
  /** How close its meaning is to the question's, from -1 to 1. */
  readonly meaning: number;
  /** What the meaning comes from: the table of word vectors or the sentence model. All candidates have the same. */
  readonly meaningBy: MeaningSource;
  /** Unix time in milliseconds. */
  readonly capturedAt: number;
}

export interface RankedCandidate {
  readonly sequence: number;
  readonly score: number;
  /** The terms of the question that its own text has, or nearly has. */
  readonly terms: readonly WeightedTerm[];
  /** The score by its own content terms, and what its neighbours add to it. */
  readonly own: number;
  readonly inherited: number;
  readonly meaning: number;
  readonly meaningBy: MeaningSource;
  /** From 0 to 1. */
  readonly date: number;
}

/** Best first; of equal scores the newer. `candidates` come by sequence, so that sums agree to the last bit. */
export function rerank(
  question: Question,
  weighted: readonly WeightedTerm[],
  candidates: readonly Candidate[],
): RankedCandidate[] {
  const scored = candidates.map((candidate) => {
    const { sequence, own, meaning, meaningBy, capturedAt } = candidate;
    const { terms, ownScore } = ownTerms(weighted, own);
    const lexical = withNeighbours(candidate);
    const date = question.dates.length === 0 ? 0 : closeness(question.dates, capturedAt);
    return { sequence, terms, own: ownScore, lexical, inherited: lexical - sumOf(own), meaning, meaningBy, date };
  });
  const byWords = zScores(scored.map(({ lexical }) => lexical));
  const byMeaning = zScores(scored.map(({ meaning }) => meaning));
  return scored
    .map(({ lexical: _, ...rest }, i) => ({
      ...rest,
      score: (byWords[i] as number) + MEANING_WEIGHT * (byMeaning[i] as number) + DATE_WEIGHT * rest.date,
    }))
    .sort((a, b) => b.score - a.score || b.sequence - a.sequence);
}

/** The terms that a memory has, and the sum of their scores without question words. */
function ownTerms(weighted: readonly WeightedTerm[], own: TermScores) {
  const terms: WeightedTerm[] = [];
  let ownScore = 0;
  for (let i = 0; i < own.length; i++) {
    const score = own[i] as number;
    if (score === 0) continue;
    const term = weighted[i] as WeightedTerm;
    terms.push(term);
    if (term.isContent) ownScore += score;
  }
  return { terms, ownScore };
}

/** For each term the greatest of the memory's own score and what it inherits. */
function withNeighbours({ own, lenders }: Candidate): number {
  let sum = 0;
  for (let term = 0; term < own.length; term++) {
    let best = own[term] as number;
    for (const { scores, distance } of lenders) best = Math.max(best, shareAt(distance) * (scores[term] as number));
    sum += best;
  }
  return sum;
}

function shareAt(distance: number): number {
  return (distance < 0 ? FROM_PREVIOUS[-distance - 1] : FROM_NEXT[distance - 1]) as number;
}

function sumOf(scores: TermScores): number {
  let sum = 0;
  for (let i = 0; i < scores.length; i++) sum += scores[i] as number;
  return sum;
}

/** The distances from the mean, in standard deviations. All are 0 if the values are equal. */
function zScores(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const deviation = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
  return values.map((value) => (deviation < 1e-12 ? 0 : (value - mean) / deviation));
}
