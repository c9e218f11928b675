// Near-duplicates: memories that say the same in the same words and order, apart from articles, case, accents and
// punctuation. Only the first of them is given to an answer.
import { wordsOf } from "./text/tokenizer.ts";

const ARTICLES = new Set("a an the der das ein eine le la les un une el los las il lo gli uno una".split(" "));

export function foldNearDuplicates<M extends { readonly content: string }>(memories: readonly M[]): M[] {
  if (memories.length < 2) return [...memories];
  const seen = new Set<string>();
  return memories.filter(({ content }) => {
    const key = keyOf(content);
    return !seen.has(key) && seen.add(key);
  });
}

/** The tokenizer drops the "n't" of a contraction, which turns a sentence into its opposite. So it counts by itself. */
function keyOf(content: string): string {
  const words = wordsOf(content).filter((word) => !ARTICLES.has(word));
  return words.length === 0 ? content : `${/n['’]t\b/i.test(content)} ${words.join(" ")}`;
}
