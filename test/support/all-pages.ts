/** Everything that pages hold, from the first to the last; `get` asks for one. */
export async function walk<T>(
  get: (page: {
    readonly cursor?: string;
  }) => Promise<{ readonly found: readonly T[]; readonly nextCursor?: string | undefined }>,
): Promise<T[]> {
  const all: T[] = [];
  for (let page: { cursor?: string } | undefined = {}; page !== undefined; ) {
    const { found, nextCursor } = await get(page);
    all.push(...found);
    page = nextCursor === undefined ? undefined : { cursor: nextCursor };
  }
  return all;
}
