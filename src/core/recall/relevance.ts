// Relevance: how much one memory bears on a question, from 0 to 1. It reads these two alone, so that it means the same
// whatever other memories there are, and tells nothing of them. It is a logistic regression, fitted on LoCoMo's
// development half (`npm run bench -- locomo`): of memories with 0.3, about three in ten hold evidence.
import type { Memory } from "#core/memory.ts";
import { closeness } from "#core/text/dates.ts";
import { termOf } from "#core/text/words.ts";
import { MIN_SIMILARITY } from "./bm25.ts";
import { documentTerms, TERM_BOUNDS } from "./document-terms.ts";
import { gramsOf, isComparable, similarityOf } from "./gram-index.ts";
import type { Question } from "./question.ts";

type ReadMemory = Pick<Memory, "namespace" | "content" | "createdAt" | "occurredAt">;

function featuresOf(question: Question, memory: ReadMemory, meaning: number | undefined) {
  const { namespace, content, createdAt, occurredAt = createdAt } = memory;
  const read = { ofWord: termOf, ofTerm: (term: string) => term };
  const terms = new Set(documentTerms({ namespace, content }, read, TERM_BOUNDS.ofMemory));
  const wanted = question.terms.filter(({ isContent }) => isContent);
  const sum = (shareOf: (term: string) => number): number =>
    wanted.reduce((total, { term, weight }) => total + weight * shareOf(term), 0);
  return {
    /** The share of the question's content terms that it has, by weight. One of similar spelling counts in part. */
    coverage: wanted.length === 0 ? 0 : sum((term) => (terms.has(term) ? 1 : nearlyIn(terms, term))) / sum(() => 1),
    /** By the table of word vectors; undefined without one. */
    meaning: question.vector === undefined ? undefined : Math.max(0, meaning ?? 0),
    date: question.dates.length === 0 ? 0 : closeness(question.dates, Date.parse(occurredAt)),
  };
}

/** What a term of the memory that is spelt like this one counts, as in the ranking. */
const SIMILAR_TERM_WEIGHT = 0.6;

function nearlyIn(terms: ReadonlySet<string>, wanted: string): number {
  if (!isComparable(wanted)) return 0;
  const grams = gramsOf(wanted);
  let best = 0;
  for (const term of terms)
    if (term.charCodeAt(0) === wanted.charCodeAt(0)) best = Math.max(best, similarityOf(grams, term));
  return best < MIN_SIMILARITY ? 0 : SIMILAR_TERM_WEIGHT * best;
}

const WITH_MEANING = { bias: -6.4, coverage: 3.64, meaning: 3.52, date: 2.04 };
const BY_WORDS = { bias: -5.21, coverage: 4.58, meaning: 0, date: 2.03 };

/** Two decimals: more would claim more than was measured. `meaning` is by the table of word vectors. */
export function relevanceOf(question: Question, memory: ReadMemory, meaning: number | undefined): number {
  const { coverage, meaning: close, date } = featuresOf(question, memory, meaning);
  const weights = close === undefined ? BY_WORDS : WITH_MEANING;
  const sum = weights.bias + weights.coverage * coverage + weights.meaning * (close ?? 0) + weights.date * date;
  return Math.round(100 / (1 + Math.exp(-sum))) / 100;
}
