export interface RecentlyUsed<Key, Value> {
  /** The kept value, or else the one that `make` makes. */
  get(key: Key, make: () => Value): Value;
  delete(key: Key): void;
  clear(): void;
}

/** A cache (LRU) of the `size` values that were used last. */
export function createRecentlyUsed<Key, Value>(size: number): RecentlyUsed<Key, Value> {
  const values = new Map<Key, { readonly value: Value }>();
  return {
    get(key, make) {
      const kept = values.get(key) ?? { value: make() };
      // A Map keeps the order of insertion, so the first key is the one that was not used for longest.
      values.delete(key);
      values.set(key, kept);
      for (const oldest of values.keys()) {
        if (values.size <= size) break;
        values.delete(oldest);
      }
      return kept.value;
    },
    delete: (key) => void values.delete(key),
    clear: () => values.clear(),
  };
}
