interface Page<T> {
  readonly found: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** Follows the cursors from the first page to the last, and collects what they hold. `get` reads one page. */
export async function allPages<T>(get: (at: { readonly cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const page = await get(cursor === undefined ? {} : { cursor });
    all.push(...page.found);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
