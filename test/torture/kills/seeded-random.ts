/** Numbers that look random and follow from a seed (mulberry32), so that what they led to can be tried again. */
export interface Random {
  /** Below 1. */
  (): number;
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  isBelow(share: number): boolean;
}

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.trunc(next() * limit);
  return Object.assign(next, {
    below,
    pick: <T>(list: readonly T[]): T => list[below(list.length)] as T,
    isBelow: (share: number) => next() < share,
  });
}
