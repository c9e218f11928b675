/** Pseudo-random numbers from a seed (mulberry32): the same seed gives the same run again. */
export interface Random {
  /** From 0 up to 1, without 1. */
  (): number;
  /** A whole number from 0 up to the limit, without the limit. */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** True in this share of the calls. */
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
