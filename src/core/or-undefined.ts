/** Undefined on failure. The error is dropped, because it may quote the data that it is about. */
export function orUndefined<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch {
    return undefined;
  }
}
