// Scores the documents of a block of one namespace.
import { lengthNormalisation, maxTermScore, termScore } from "#core/recall/bm25.ts";
import { totalOf } from "#core/recall/rerank.ts";
import { inPage } from "./pages.ts";
import { countOf, createCursors, documentOf } from "./postings.ts";
import type { PlannedNamespace, QueryPlan } from "./query-plan.ts";
import type { TopK } from "./top-k.ts";

/** Documents in a block. So few that 128 terms in every one of them are some milliseconds of work. */
export const BLOCK = 8_192;
/** To score one document by the forward index costs as much as to read so many postings. */
const POSTINGS_PER_CANDIDATE = 50;
/** And to begin a block, as so many. */
const POSTINGS_PER_BLOCK = 1_000;
/** To read the postings of one more term leaves about so many of the candidates. */
const REMAINING_SHARE = 1 / 2;
/** If a greater share of the block are candidates when all terms are read, it pays to score the block again, exactly. */
const MANY_CANDIDATES = 1 / 32;
const TOLERANCE = 1e-9;

/** Less than the threshold by more than the rounding errors of a sum in another order. */
export const toBeat = (threshold: number): number => threshold * (1 - TOLERANCE);

// Room for one block, used by all searches: a block is scored without a pause. Scores are zeros in between.
const scores = new Float64Array(BLOCK);
const touched = new Uint32Array(BLOCK);
const block = new Uint32Array(BLOCK);

/** One cursor for each place among the terms: where it is, and where it was before the block. */
export type BlockCursors = ReturnType<typeof createBlockCursors>;
export const createBlockCursors = (terms: number) => ({ cursors: createCursors(terms), before: createCursors(terms) });

/** The cursors are of use to one scorer at a time. */
export function createBlockScorer(
  namespace: PlannedNamespace,
  { weights, averageLength }: QueryPlan,
  { cursors, before }: BlockCursors,
) {
  const { index, numbers } = namespace;
  const { postings } = index;
  for (const place of namespace.places) postings.open(numbers[place] as number, cursors, place);
  let work = 0;

  /** Adds the term's scores, up to rounding. Essential terms list new documents. Answers with how many are. */
  function addScores(from: number, to: number, place: number, isEssential: boolean, listed: number): number {
    if ((numbers[place] as number) < 0) return listed;
    const lengths = index.lengthsAround(from);
    const { fixed, perTerm } = lengthNormalisation(averageLength);
    const weight = maxTermScore(weights[place] as number);
    const count = postings.read(cursors, place, from, to, block);
    work += count;
    let touches = listed;
    for (let i = 0; i < count; i++) {
      const posting = block[i] as number;
      const document = documentOf(posting);
      const sum = scores[document - from] as number;
      if (sum === 0) {
        if (!isEssential) continue;
        touched[touches++] = document;
      }
      const occurrences = countOf(posting);
      const norm = fixed + perTerm * (lengths[inPage(document)] as number);
      scores[document - from] = sum + (weight * occurrences) / (occurrences + norm);
    }
    return touches;
  }

  /** Keeps those of the listed documents whose sum is enough. Answers with their number. */
  function keepCandidates(from: number, listed: number, enough: number): number {
    let kept = 0;
    for (let i = 0; i < listed; i++) {
      const document = touched[i] as number;
      if ((scores[document - from] as number) >= enough) touched[kept++] = document;
      else scores[document - from] = 0;
    }
    return kept;
  }

  /** Whether to read the term's postings in a block of so many documents costs less than to score the candidates that it removes. */
  function isWorthReading(place: number, documents: number, candidates: number): boolean {
    const expected = (index.memoriesWith(numbers[place] as number) * documents) / index.size();
    return expected < (1 - REMAINING_SHARE) * candidates * POSTINGS_PER_CANDIDATE;
  }

  /** Lists the documents that may reach the threshold in `touched`. Answers with their number. */
  function findCandidates(from: number, to: number, order: TermOrder, threshold: number): number {
    const enough = toBeat(threshold);
    const essential = order.essential(enough);
    let candidates = 0;
    for (let i = 0; i < essential; i++) candidates = addScores(from, to, order.places[i] as number, true, candidates);
    candidates = keepCandidates(from, candidates, enough - order.most(essential));
    for (let i = essential; i < order.places.length; i++) {
      const place = order.places[i] as number;
      if (!isWorthReading(place, to - from, candidates)) break;
      addScores(from, to, place, false, candidates);
      candidates = keepCandidates(from, candidates, enough - order.most(i + 1));
    }
    for (let i = 0; i < candidates; i++) scores[(touched[i] as number) - from] = 0;
    return candidates;
  }

  function offerOne(document: number, top: TopK<PlannedNamespace>): void {
    if (index.isForgotten(document)) return;
    const own = index.termScores(document, namespace, weights, averageLength);
    if (own !== undefined) top.offer(totalOf(own), index.sequenceOf(document), namespace, document);
  }

  /** Reads all postings in the order of the terms, so that sums agree to the last bit. */
  function offerAll(from: number, to: number, top: TopK<PlannedNamespace>): void {
    const lengths = index.lengthsAround(from);
    for (let place = 0; place < numbers.length; place++) {
      if ((numbers[place] as number) < 0) continue;
      const count = postings.read(cursors, place, from, to, block);
      const weight = weights[place] as number;
      work += count;
      for (let i = 0; i < count; i++) {
        const posting = block[i] as number;
        const document = documentOf(posting);
        const score = termScore(weight, countOf(posting), lengths[inPage(document)] as number, averageLength);
        scores[document - from] = (scores[document - from] as number) + score;
      }
    }
    let threshold = top.threshold();
    for (let i = 0; i < to - from; i++) {
      const score = scores[i] as number;
      if (score === 0) continue;
      scores[i] = 0;
      if (score < threshold || index.isForgotten(from + i)) continue;
      top.offer(score, index.sequenceOf(from + i), namespace, from + i);
      threshold = top.threshold();
    }
  }

  return {
    /** Offers the documents from `from` to `to` (exclusive) that can be among the best to `top`. All are of one page. */
    offerBlock(from: number, to: number, order: TermOrder, top: TopK<PlannedNamespace>): void {
      const threshold = top.threshold();
      before.set(cursors);
      work += POSTINGS_PER_BLOCK;
      const candidates = threshold === 0 ? Infinity : findCandidates(from, to, order, threshold);
      if (candidates <= MANY_CANDIDATES * (to - from)) {
        for (let i = 0; i < candidates; i++) offerOne(touched[i] as number, top);
        work += candidates * POSTINGS_PER_CANDIDATE;
      } else {
        cursors.set(before);
        offerAll(from, to, top);
      }
    },
    /** The work done since the last call, as a number of postings. */
    takeWork(): number {
      const done = work;
      work = 0;
      return done;
    },
  };
}

/** The terms of a search by weight, the heaviest first. */
export type TermOrder = ReturnType<typeof termOrderOf>;

export function termOrderOf(weights: readonly number[]) {
  const weightAt = (place: number) => weights[place] as number;
  const places = weights.map((_, place) => place).sort((a, b) => weightAt(b) - weightAt(a));
  const most = new Float64Array(places.length + 1);
  for (let i = places.length - 1; i >= 0; i--)
    most[i] = (most[i + 1] as number) + maxTermScore(weightAt(places[i] as number));
  return {
    places: places as readonly number[],
    /** No document has a higher score by the terms after the first `count`. */
    most: (count: number): number => most[count] as number,
    /** No document that has only the terms at these places has a higher score. */
    mostBy(places: ArrayLike<number>): number {
      let sum = 0;
      for (let i = 0; i < places.length; i++) sum += maxTermScore(weightAt(places[i] as number));
      return sum;
    },
    /** So many of the terms are essential: a document that has none of them is below the threshold. */
    essential(threshold: number): number {
      let count = places.length;
      while (count > 0 && (most[count - 1] as number) < threshold) count--;
      return count;
    },
  };
}
