/** Keeps the values that were used last, as long as their sizes, of one each if not given, add up to no more than `most`. */
export function lruCache<Value>(most: number, sizeOf: (value: Value) => number = () => 1) {
  // A Map keeps the order of insertion, so the first key is the one that was not used for longest.
  const values = new Map<string, Value>();
  let size = 0;

  function remove(key: string): Value | undefined {
    const value = values.get(key);
    if (value !== undefined && values.delete(key)) size -= sizeOf(value);
    return value;
  }

  return {
    get(key: string): Value | undefined {
      const value = values.get(key);
      if (value !== undefined && values.delete(key)) values.set(key, value);
      return value;
    },
    /** The newest one stays, whatever its size. */
    put(key: string, value: Value): void {
      remove(key);
      values.set(key, value);
      size += sizeOf(value);
      for (const oldest of values.keys()) {
        if (size <= most || oldest === key) return;
        remove(oldest);
      }
    },
    delete: (key: string): void => void remove(key),
    clear(): void {
      values.clear();
      size = 0;
    },
  };
}
