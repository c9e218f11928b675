// Near-duplicates: memories that say the same in the same words and order. Only the first of them is given to an answer.
import { isQuestionWord } from "./text/question-words.ts";
import { wordsOf } from "./text/tokenizer.ts";

/** Words that are in the list of question words and turn a sentence into its opposite. */
const NEGATIONS = new Set(
  "no not nor without only until before after under over off kein keine nicht pas ne sin ni non".split(" "),
);

export function foldNearDuplicates<M extends { readonly content: string }>(memories: readonly M[]): M[] {
  if (memories.length < 2) return [...memories];
  const seen = new Set<string>();
  return memories.filter(({ content }) => {
    const key = keyOf(content);
    return !seen.has(key) && seen.add(key);
  });
}

/**
 * The content words in their order: Anna owes Ben is not Ben owes Anna. "n't" is a negation that the tokenizer drops, so
 * it counts by itself.
 */
function keyOf(content: string): string {
  const words = wordsOf(content).filter((word) => !isQuestionWord(word) || NEGATIONS.has(word));
  return words.length === 0 ? content : `${/n['’]t\b/i.test(content)} ${words.join(" ")}`;
}
