// Similarity of spelling: the Dice coefficient of two terms' 4-grams. It forgives typing errors and joins words of one
// family whose stems differ ("allergi" and "allerg").

/** Terms with fewer letters, and terms with digits, are similar to none: 10 mg are not 100 mg. */
const COMPARABLE = /^\p{L}{4,24}$/u;
const GRAM_LENGTH = 4;
/** Terms of five letters or fewer have too few 4-grams to be compared by. */
const SHORT = 5;

export function isComparable(term: string): boolean {
  return COMPARABLE.test(term);
}

/** Without the first letter that every n-gram begins with. */
export const gramLength = (term: string): number => (term.length <= SHORT ? GRAM_LENGTH - 1 : GRAM_LENGTH);

/** The distinct n-grams of a term, its ends marked. Each begins with the first letter: similar terms share it. */
export function gramsOf(term: string): string[] {
  const marked = `^${term}$`;
  const length = gramLength(term);
  const initial = term.charAt(0);
  const grams: string[] = [];
  for (let i = 0; i + length <= marked.length; i++) {
    const gram = initial + marked.slice(i, i + length);
    if (!grams.includes(gram)) grams.push(gram);
  }
  return grams;
}

/** The Dice coefficient of a term and one whose n-grams these are, from 0 to 1. */
export function similarityOf(grams: readonly string[], term: string): number {
  const others = gramsOf(term);
  let shared = 0;
  for (const gram of others) if (grams.includes(gram)) shared += 1;
  return (2 * shared) / (grams.length + others.length);
}
