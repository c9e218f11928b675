/** A Map, or a WeakMap. */
interface Values<K, V> {
  readonly size?: number;
  get(key: K): V | undefined;
  set(key: K, value: V): unknown;
  clear?(): void;
}

/** The value of the key, which is made and kept if there is none. A map that has `most` of them begins anew. */
export function getOrInsert<K, V>(values: Values<K, V>, key: K, make: () => V, most = Number.POSITIVE_INFINITY): V {
  const known = values.get(key);
  if (known !== undefined) return known;
  const made = make();
  if ((values.size ?? 0) >= most) values.clear?.();
  values.set(key, made);
  return made;
}
