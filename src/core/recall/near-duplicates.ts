// Near-duplicates: memories that say the same in the same words and order, apart from articles, case, accents and
// punctuation. Only the first of them is given to an answer.
import { isInWord, wordSet, wordsOf, wordText } from "#core/text/words.ts";

/** None is longer than a short word. */
const ARTICLES = wordSet("a an the der das ein eine le la les un une el los las il lo gli uno una");
const LONGEST_SHORT_WORD = 4;

/** How much text it reads before it yields: a few milliseconds of work, whatever the script. */
const CHARACTERS_PER_SLICE = 8_000;

export function* foldNearDuplicates<M extends { readonly content: string }>(memories: readonly M[]) {
  let read = 0;
  const isSliceOver = ({ content }: M): boolean => {
    read += content.length;
    if (read <= CHARACTERS_PER_SLICE) return false;
    read = content.length;
    return true;
  };
  const digests: number[] = [];
  for (const memory of memories) {
    if (isSliceOver(memory)) yield;
    digests.push(longWordsDigest(memory.content));
  }
  const isAlone = (i: number) => digests.indexOf(digests[i] as number) === digests.lastIndexOf(digests[i] as number);
  const seen = new Set<string>();
  const distinct: M[] = [];
  for (const [i, memory] of memories.entries()) {
    if (isAlone(i)) {
      distinct.push(memory);
      continue;
    }
    if (isSliceOver(memory)) yield;
    const key = keyOf(memory.content);
    if (!seen.has(key)) distinct.push(memory);
    seen.add(key);
  }
  return distinct;
}

/** The tokenizer drops the "n't" of a contraction, which turns a sentence into its opposite. So it counts by itself. */
function keyOf(content: string): string {
  const words = wordsOf(content).filter((word) => !ARTICLES.has(word));
  return words.length === 0 ? content : `${/n['’]t\b/i.test(content)} ${words.join(" ")}`;
}

const FNV_OFFSET = 0x811c9dc5 | 0;
const FNV_PRIME = 0x01000193;

/** A hash of the words that are not short, made without strings. A memory whose digest no other has needs no key. */
function longWordsDigest(content: string): number {
  const text = wordText(content);
  let digest = FNV_OFFSET;
  let word = FNV_OFFSET;
  let length = 0;
  for (let i = 0; i <= text.length; i++) {
    if (i < text.length && isInWord(text.charCodeAt(i))) {
      word = Math.imul(word ^ text.charCodeAt(i), FNV_PRIME);
      length += 1;
      continue;
    }
    if (length > LONGEST_SHORT_WORD) digest = Math.imul(digest ^ word, FNV_PRIME);
    word = FNV_OFFSET;
    length = 0;
  }
  return digest;
}
