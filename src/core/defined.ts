/** The fields that have a value. For optional fields, which may be left out and may not be undefined. */
export function defined<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof defined<T>
  >;
}

/** Undefined on failure. The error is dropped, because it may quote the data that it is about. */
export function orUndefined<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
