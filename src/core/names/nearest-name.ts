const LONG_PREFIX = 4;

/** The candidate that was probably meant: the nearest by the Damerau–Levenshtein distance, or one that begins so. */
export function nearestName(typed: string, candidates: readonly string[]): string | undefined {
  const ranked = candidates
    .map((name) => ({ name, distance: distance(typed.toLowerCase(), name.toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance);
  const [best] = ranked;
  if (best === undefined) return undefined;
  if (best.distance <= Math.max(1, Math.floor(best.name.length / 3))) return best.name;
  return typed.length < LONG_PREFIX ? undefined : candidates.find((name) => name.startsWith(typed));
}

/** Insertions, deletions, replacements and swaps of neighbours that make one of the other. */
function distance(a: string, b: string): number {
  let [beforeLast, last] = [[] as number[], Array.from({ length: b.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwap ? (beforeLast[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced, swapped));
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** What is said of a name that is not among the known ones. `what` says what it would name. */
export function unknownName(what: string, name: string, known: readonly string[]): string {
  const nearest = nearestName(name, known);
  if (nearest !== undefined) return `is not a ${what}; did you mean ${nearest}?`;
  return `is not a ${what}, which takes ${known.join(", ") || "none"}`;
}

/** "a", "a or b", "a, b or c". */
export const anyOf = (names: readonly string[], or = "or"): string =>
  names.length < 2 ? names.join() : `${names.slice(0, -1).join(", ")} ${or} ${names.at(-1)}`;
