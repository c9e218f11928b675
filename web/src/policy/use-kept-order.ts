// The order of a list that must not move under the pointer: it is taken when the list opens, and again when asked.
import { useMemo, useState } from "react";

/** `sorted`: all names, in the order that a fresh list has. */
export function useKeptOrder(sorted: readonly string[]) {
  const [kept, setKept] = useState(sorted);
  const names = useMemo(() => inKeptOrder(sorted, kept), [sorted, kept]);
  return {
    names,
    /** The list would have another order now. */
    isOutdated: names.some((name, index) => name !== sorted[index]),
    renew: () => setKept(sorted),
  };
}

/** New names come last, so that they move no other. */
export function inKeptOrder(sorted: readonly string[], kept: readonly string[]): readonly string[] {
  const present = new Set(sorted);
  const known = new Set(kept);
  return [...kept.filter((name) => present.has(name)), ...sorted.filter((name) => !known.has(name))];
}

/** Open ones first, then those with the most memories, then by name. */
export function byImportance(
  names: readonly string[],
  isOpen: (name: string) => boolean,
  countOf: (name: string) => number | undefined = () => 0,
): readonly string[] {
  const rows = names.map((name) => ({ name, closed: isOpen(name) ? 0 : 1, count: countOf(name) ?? 0 }));
  rows.sort((a, b) => a.closed - b.closed || b.count - a.count || COLLATOR.compare(a.name, b.name));
  return rows.map(({ name }) => name);
}

export const COLLATOR = new Intl.Collator();
