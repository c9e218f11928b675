// The candidates for the second step of the ranking, gathered from the indices of the namespaces.
import { similarity, squareOf } from "#core/recall/meaning/word-vectors.ts";
import type { Question } from "#core/recall/question.ts";
import * as rerank from "#core/recall/rerank.ts";
import type { LexicalHit } from "./lexical-search.ts";
import type { NamespaceIndex } from "./namespace-index.ts";

/** A candidate whose meaning and source of meaning are set when all are known. */
interface Gathered extends rerank.Candidate {
  readonly index: NamespaceIndex;
  readonly document: number;
  readonly lenders: rerank.Lender[];
  meaning: number;
  meaningBy: rerank.MeaningSource;
}

function gather(index: NamespaceIndex, document: number, sequence: number, own: rerank.TermScores): Gathered {
  const occurredAt = index.occurredAt(document);
  return { sequence, own, lenders: [], meaning: 0, meaningBy: "table", occurredAt, index, document };
}

/** By sequence. `hits` are what the first step gave, best first. */
export function candidatesOf(question: Question, hits: readonly LexicalHit[], sentenceVectorOf: SentenceVectorOf) {
  const gathered = new Map<number, Gathered>();
  for (const { sequence, document, own, namespace } of hits)
    gathered.set(sequence, gather(namespace.index, document, sequence, own));
  for (let rank = 0; rank < hits.length; rank++) {
    const { namespace, document, own } = hits[rank] as LexicalHit;
    const { index, size } = namespace;
    const hasNeighbours = rank < rerank.CANDIDATES_WITH_NEIGHBOURS;
    for (let step = -1; step <= 1; step += 2) {
      let neighbour = index.neighbour(document, step, size);
      for (
        let i = 1;
        i <= rerank.NEIGHBOURS && neighbour >= 0;
        i++, neighbour = index.neighbour(neighbour, step, size)
      ) {
        const sequence = index.sequenceOf(neighbour);
        let candidate = gathered.get(sequence);
        if (candidate === undefined) {
          if (!hasNeighbours) continue;
          candidate = gather(index, neighbour, sequence, rerank.NO_SCORES);
          gathered.set(sequence, candidate);
        }
        // For the neighbour after this memory, this memory is the one before.
        candidate.lenders.push({ scores: own, share: rerank.shareAt(-step * i) });
      }
    }
  }
  const ordered = rerank.sortShort([...gathered.values()], (a, b) => a.sequence - b.sequence);
  const { meanings, meaningBy } = meaningsOf(question, ordered, sentenceVectorOf);
  for (let i = 0; i < ordered.length; i++) {
    const candidate = ordered[i] as Gathered;
    candidate.meaning = meanings[i] as number;
    candidate.meaningBy = meaningBy;
  }
  return ordered;
}

/** The sentence model's vector of the memory captured at this sequence; undefined while it has not been made. */
export type SentenceVectorOf = (sequence: number) => Int8Array | undefined;

/** By the sentence model if it knows the question and all candidates, else by the table: the two cannot be compared. */
function meaningsOf(
  { vector, sentenceVector }: Question,
  candidates: readonly Gathered[],
  sentenceVectorOf: SentenceVectorOf,
): { readonly meanings: readonly number[]; readonly meaningBy: rerank.MeaningSource } {
  const sentences = sentenceVector && candidates.map(({ sequence }) => sentenceVectorOf(sequence));
  if (sentences?.every((sentence) => sentence !== undefined))
    return { meanings: sentences.map((sentence) => similarity(sentence, sentenceVector)), meaningBy: "minilm" };
  if (vector === undefined) return { meanings: candidates.map(() => 0), meaningBy: "table" };
  const square = squareOf(vector);
  const meanings = candidates.map(({ index, document }) => index.similarityTo(document, vector, square));
  return { meanings, meaningBy: "table" };
}
