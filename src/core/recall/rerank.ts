// The second step of the ranking: the candidates by their words and those of their neighbours in time, by their
// meaning, and by the dates of the question, added as z-scores.
import { closeness } from "#core/text/dates.ts";
import { MAX_WEIGHTED_TERMS, type WeightedTerm } from "./bm25.ts";
import type { Question } from "./question.ts";

/** What one memory scores by its own words: only the terms that it has, in the order of the weighted terms. */
export interface TermScores {
  /** The terms' places among the weighted terms, and the score by each. */
  readonly places: readonly number[];
  readonly scores: readonly number[];
}

export function totalOf({ scores }: TermScores): number {
  let total = 0;
  for (let i = 0; i < scores.length; i++) total += scores[i] as number;
  return total;
}

export const NO_SCORES: TermScores = { places: [], scores: [] };

/** A memory of the first step, for a memory near it in the same namespace. */
export interface Lender {
  readonly scores: TermScores;
  /** What the other memory inherits of them. */
  readonly share: number;
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

/** What a memory inherits from its neighbour: -1 captured just before it, 1 just after, up to `NEIGHBOURS`. */
export const shareAt = (distance: number): number =>
  (distance < 0 ? FROM_PREVIOUS[-distance - 1] : FROM_NEXT[distance - 1]) as number;

export interface Candidate {
  readonly sequence: number;
  /** None for a candidate that the first step did not give. */
  readonly own: TermScores;
  /** The neighbours that the first step gave. */
  readonly lenders: readonly Lender[];
  /** How close its meaning is to the question's, from -1 to 1. */
  readonly meaning: number;
  readonly meaningBy: MeaningSource;
  /** Unix time in milliseconds. */
  readonly occurredAt: number;
}

export interface RankedCandidate extends Pick<Candidate, "sequence" | "meaning" | "meaningBy"> {
  readonly score: number;
  /** The terms of the question that its own text has, or nearly has. */
  readonly terms: readonly WeightedTerm[];
  /** The score by its own content terms, and what its neighbours add to it. */
  readonly own: number;
  readonly inherited: number;
  readonly date: number;
}

/** Best first; of equal scores the newer. `candidates` come by sequence, so that sums agree to the last bit. */
export function rerank(question: Question, weighted: readonly WeightedTerm[], candidates: readonly Candidate[]) {
  const lexical = candidates.map((candidate) => withNeighbours(candidate, weighted.length));
  const byWords = zScores(lexical);
  const byMeaning = zScores(candidates.map(({ meaning }) => meaning));
  const ranked = candidates.map(({ sequence, own, meaning, meaningBy, occurredAt }, i): RankedCandidate => {
    const date = question.dates.length === 0 ? 0 : closeness(question.dates, occurredAt);
    return {
      sequence,
      score: (byWords[i] as number) + MEANING_WEIGHT * (byMeaning[i] as number) + DATE_WEIGHT * date,
      terms: own.places.map((place) => weighted[place] as WeightedTerm),
      own: contentScore(weighted, own),
      inherited: (lexical[i] as number) - totalOf(own),
      meaning,
      meaningBy,
      date,
    };
  });
  return sortShort(ranked, (a, b) => b.score - a.score || b.sequence - a.sequence);
}

/** The sum of the scores without question words. */
function contentScore(weighted: readonly WeightedTerm[], { places, scores }: TermScores): number {
  let sum = 0;
  for (let i = 0; i < places.length; i++)
    if ((weighted[places[i] as number] as WeightedTerm).isContent) sum += scores[i] as number;
  return sum;
}

/** The best score by each term: room for one candidate. */
const best = new Float64Array(MAX_WEIGHTED_TERMS);

/** For each term the greatest of the memory's own score and what it inherits. The sum of these. */
function withNeighbours({ own, lenders }: Candidate, terms: number): number {
  if (lenders.length === 0) return totalOf(own);
  best.fill(0, 0, terms);
  for (let i = 0; i < own.places.length; i++) best[own.places[i] as number] = own.scores[i] as number;
  for (const { scores, share } of lenders) {
    for (let i = 0; i < scores.places.length; i++) {
      const place = scores.places[i] as number;
      const inherited = share * (scores.scores[i] as number);
      if (inherited > (best[place] as number)) best[place] = inherited;
    }
  }
  let sum = 0;
  for (let place = 0; place < terms; place++) sum += best[place] as number;
  return sum;
}

/** The distances from the mean, in standard deviations. All are 0 if the values are equal. */
function zScores(values: readonly number[]): number[] {
  let sum = 0;
  for (const value of values) sum += value;
  const mean = sum / values.length;
  let squares = 0;
  for (const value of values) squares += (value - mean) ** 2;
  const deviation = Math.sqrt(squares / values.length);
  return values.map((value) => (deviation < 1e-12 ? 0 : (value - mean) / deviation));
}

/** Why a memory was recalled. It quotes words of the question, so it never stands in a receipt, which may be published. */
export interface Why {
  /** The terms that it shares with the question, or nearly shares. */
  readonly terms?: readonly string[];
  /** A date of the question is a date of its text, or when it occurred. */
  readonly date?: true;
  readonly meaning?: number;
  /** The table of word vectors, or the sentence model if it is configured and was in time. */
  readonly meaningBy?: "table" | "minilm";
  /** The memories that were captured just before or after it match the question. */
  readonly neighbour?: true;
  readonly pinned?: true;
  /** Nothing else spoke for it: it is among the newest. */
  readonly newest?: true;
}

export type Scored<M> = M & {
  readonly score: number;
  /** From 0 to 1, and comparable between questions (relevance.ts). Absent where nobody asked for it. */
  readonly relevance?: number;
  readonly why: Why;
};

/** Longer lists are left to the engine. */
const SHORT = 40;

/** Sorts in place; short lists faster than `Array.prototype.sort`, which copies. `compare` is a total order. */
export function sortShort<T>(list: T[], compare: (a: T, b: T) => number): T[] {
  if (list.length > SHORT) return list.sort(compare);
  for (let i = 1; i < list.length; i++) {
    const element = list[i] as T;
    let at = i;
    for (; at > 0 && compare(list[at - 1] as T, element) > 0; at--) list[at] = list[at - 1] as T;
    list[at] = element;
  }
  return list;
}
