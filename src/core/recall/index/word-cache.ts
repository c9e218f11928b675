const MAX_WORDS = 20_000;

/**
 * A cache of what words become, because a look-up is faster than stemming and words repeat. Each namespace has its own,
 * and only its memories fill it: a cache that namespaces shared would tell by its speed which words the others have.
 */
export function createWordCache(numberOf: (word: string) => number): (word: string) => number {
  const numbers = new Map<string, number>();
  return (word) => {
    const cached = numbers.get(word);
    if (cached !== undefined) return cached;
    if (numbers.size >= MAX_WORDS) numbers.clear();
    const number = numberOf(word);
    numbers.set(copyOf(word), number);
    return number;
  };
}

/** V8 represents a match as a slice of its text. A slice that is kept would keep the whole text in memory. */
function copyOf(word: string): string {
  return Array.from(word).join("");
}
