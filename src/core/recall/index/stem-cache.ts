import { termOf } from "#core/recall/text/tokenizer.ts";

const MAX_WORDS = 20_000;

/**
 * A cache of stems, because a look-up is faster than stemming and words repeat. Each namespace has its own, and only its
 * memories fill it: a cache that namespaces shared would tell by its speed which words the others have.
 */
export function createStemCache(): (word: string) => string {
  const stems = new Map<string, string>();
  return (word) => {
    const cached = stems.get(word);
    if (cached !== undefined) return cached;
    if (stems.size >= MAX_WORDS) stems.clear();
    const term = termOf(word);
    stems.set(copyOf(word), term);
    return term;
  };
}

/** V8 represents a match as a slice of its text. A slice that is kept would keep the whole text in memory. */
function copyOf(word: string): string {
  return Array.from(word).join("");
}
