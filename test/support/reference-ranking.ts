// The ranking written plainly: it reads all memories. The recall index must give the same ones in the same order, with
// the same scores to the last bit.
import {
  MAX_TERM_COUNT,
  MIN_SIMILARITY,
  type TermStatistics,
  termScore,
  type WeightedTerm,
  weigh,
} from "#core/recall/bm25.ts";
import { documentTerms, TERM_BOUNDS, type TermBounds } from "#core/recall/document-terms.ts";
import { gramsOf, isComparable, similarityOf } from "#core/recall/gram-index.ts";
import { similarity } from "#core/recall/meaning/word-vectors.ts";
import type { Embed, Question } from "#core/recall/question.ts";
import {
  CANDIDATES_WITH_NEIGHBOURS,
  LEXICAL_CANDIDATES,
  NEIGHBOURS,
  NO_SCORES,
  type RankedCandidate,
  rerank,
  shareAt,
  totalOf,
} from "#core/recall/rerank.ts";
import { aboveFloor, FEWEST, fill, SCANNED_BY_MEANING, type Selected } from "#core/recall/selection.ts";
import { termOf } from "#core/text/words.ts";

export interface Rankable {
  readonly sequence: number;
  readonly namespace: string;
  readonly content: string;
  readonly createdAt: string;
  readonly occurredAt?: string;
}

/** All candidates, best first: the ranking before the floor. `memories` come oldest first. */
export function rankMemories(
  question: Question,
  memories: readonly Rankable[],
  embed: Embed,
  bounds = TERM_BOUNDS,
): RankedCandidate[] {
  const documents = countTerms(memories, bounds);
  const corpus = { memories: memories.length, terms: documents.reduce((sum, { length }) => sum + length, 0) };
  const weighted = weigh(question.terms, statisticsOf(corpus, documents));
  const averageLength = corpus.terms / corpus.memories;
  const scored = documents.map((document) => {
    const { counts, length } = document;
    const places = [...weighted.keys()].filter((place) => counts.has((weighted[place] as WeightedTerm).term));
    const scores = places.map((place) => {
      const { term, weight } = weighted[place] as WeightedTerm;
      return termScore(weight, counts.get(term) as number, length, averageLength);
    });
    const own = { places, scores };
    return { ...document, own, total: totalOf(own) };
  });
  const byScore = scored
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || b.sequence - a.sequence)
    .slice(0, LEXICAL_CANDIDATES);

  const isHit = new Set(byScore);
  function neighboursOf({ namespace, sequence }: Rankable) {
    const inNamespace = scored.filter((other) => other.namespace === namespace);
    const at = inNamespace.findIndex((other) => other.sequence === sequence);
    const near = inNamespace.slice(Math.max(0, at - NEIGHBOURS), at + 1 + NEIGHBOURS);
    return near
      .map((memory) => ({ memory, distance: inNamespace.indexOf(memory) - at }))
      .filter(({ distance }) => distance !== 0);
  }
  const withNeighbours = byScore
    .slice(0, CANDIDATES_WITH_NEIGHBOURS)
    .flatMap((hit) => neighboursOf(hit).map(({ memory }) => memory));
  const candidates = [...new Set([...byScore, ...withNeighbours])]
    .sort((a, b) => a.sequence - b.sequence)
    .map((candidate) => ({
      sequence: candidate.sequence,
      own: isHit.has(candidate) ? candidate.own : NO_SCORES,
      lenders: neighboursOf(candidate)
        .filter(({ memory }) => isHit.has(memory))
        .map(({ memory: { own }, distance }) => ({ scores: own, share: shareAt(distance) })),
      meaning: similarity(embed(candidate.content), question.vector),
      meaningBy: "table" as const,
      occurredAt: Date.parse(candidate.occurredAt ?? candidate.createdAt),
    }));
  return rerank(question, weighted, candidates);
}

/** The memories that an answer is given, best first, `limit` at most. `memories` come oldest first. */
export function selectMemories(
  question: Question,
  memories: readonly Rankable[],
  embed: Embed,
  limit: number,
  bounds = TERM_BOUNDS,
): Selected[] {
  const newest = memories.map(({ sequence }) => sequence).reverse();
  if (question.isAboutEverything) {
    return newest.slice(0, limit).map((sequence) => ({ sequence, score: 0, why: { newest: true } }));
  }
  const relevant = aboveFloor(question, rankMemories(question, memories, embed, bounds), limit);
  if (relevant.length >= Math.min(FEWEST, limit)) return relevant;
  const closest = memories
    .slice(-SCANNED_BY_MEANING)
    .map(({ sequence, content }) => ({ sequence, meaning: similarity(embed(content), question.vector) }))
    .sort((a, b) => b.meaning - a.meaning || b.sequence - a.sequence);
  return fill(relevant, closest, () => newest).slice(0, limit);
}

interface CountedTerms {
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
}

/** Each namespace knows the first terms of its memories, oldest first, up to its bound. */
function countTerms(memories: readonly Rankable[], bounds: TermBounds): (Rankable & CountedTerms)[] {
  const vocabularies = new Map<string, Set<string>>();
  return memories.map((memory) => {
    const vocabulary = vocabularies.get(memory.namespace) ?? new Set();
    vocabularies.set(memory.namespace, vocabulary);
    function known(term: string): string | undefined {
      if (vocabulary.size < bounds.ofNamespace) vocabulary.add(term);
      return vocabulary.has(term) ? term : undefined;
    }
    const terms = documentTerms(memory, { ofWord: (word) => known(termOf(word)), ofTerm: known }, bounds.ofMemory);
    const counts = new Map<string, number>();
    for (const term of terms) counts.set(term, Math.min((counts.get(term) ?? 0) + 1, MAX_TERM_COUNT));
    return { ...memory, counts, length: terms.length };
  });
}

function statisticsOf(corpus: TermStatistics["corpus"], documents: readonly CountedTerms[]): TermStatistics {
  const vocabulary = new Set(documents.flatMap(({ counts }) => [...counts.keys()]));
  return {
    corpus,
    memoriesWith: (term) => documents.filter(({ counts }) => counts.has(term)).length,
    similarTerms(term) {
      const grams = gramsOf(term);
      const similarities = [...vocabulary]
        .filter((other) => other !== term && other.charAt(0) === term.charAt(0) && isComparable(other))
        .map((other): [string, number] => [other, similarityOf(grams, other)]);
      return new Map(similarities.filter(([, similarity]) => similarity >= MIN_SIMILARITY));
    },
  };
}
