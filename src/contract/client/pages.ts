// Lists in pages, as async iterators.

interface Page {
  readonly nextCursor?: string | undefined;
}

type PageQuery = { limit?: number | undefined; cursor?: string | undefined };

/** Of what one request gives. A list without any parameter would come whole. */
const PAGE_LENGTH = 100;

/** Page after page, from the first one or from `query.cursor` on. A page is requested when it is asked for. */
export async function* pagesOf<Q extends PageQuery, P extends Page>(
  load: (query: Q) => Promise<P>,
  query: Q,
): AsyncGenerator<P, undefined> {
  let cursor = query.cursor;
  do {
    const page = await load({ limit: PAGE_LENGTH, ...query, ...(cursor !== undefined && { cursor }) });
    yield page;
    cursor = page.nextCursor;
  } while (cursor !== undefined);
}

/** What the pages hold, one after the other. */
export async function* elementsOf<P, T>(
  pages: AsyncGenerator<P, undefined>,
  elements: (page: P) => readonly T[],
): AsyncGenerator<T, undefined> {
  for await (const page of pages) yield* elements(page);
}
