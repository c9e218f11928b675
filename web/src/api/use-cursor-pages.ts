// Cursor pagination as one growing list. With filters a page may be short or even empty without being the last one, so
// the hook fetches further pages until enough items are there, and pauses after many pages without any.
import { hashKey, type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { cameBack } from "#web/lib/scroll-positions.ts";
import { callerSignal } from "#web/session/session.ts";
import { queryClient } from "./client.ts";

interface CursorPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

/** A reply has one list. */
type Listing = Pick<CursorPage<unknown>, "nextCursor">;
type ItemOf<R> = { [N in keyof R]-?: R[N] extends readonly (infer T)[] ? T : never }[keyof R];

interface CursorPagesOptions<R> {
  readonly queryKey: readonly unknown[];
  readonly fetchPage: (page: { readonly limit: number; readonly cursor?: string }, signal: AbortSignal) => Promise<R>;
  readonly pageSize: number;
  /** The number of items to fetch, at least one page; as many as `showMore` asked for when left out. */
  readonly wanted?: number;
}

export interface CursorPages<T> {
  readonly items: readonly T[];
  readonly isPending: boolean;
  /** There is nothing, and nothing more to come. */
  readonly isEmpty: boolean;
  /** The items belong to the previous filters. */
  readonly isOutdated: boolean;
  readonly isFetchingMore: boolean;
  readonly hasMore: boolean;
  /** A lower bound of the records that the service scanned for these items. */
  readonly scanned: number;
  /** Many pages in a row had no items. `showMore` fetches further. */
  readonly isPaused: boolean;
  readonly showMore: () => void;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** The service scans at most this many records for one page. */
const SCAN_LIMIT = 20_000;
const EMPTY_PAGES_LIMIT = 25;

export function useCursorPages<R extends Listing>(options: CursorPagesOptions<R>): CursorPages<ItemOf<R>> {
  const { queryKey, fetchPage, pageSize } = options;
  const list = hashKey(queryKey);
  const [opened, setOpened] = useState<string>();
  if (opened !== list) {
    // A list that is opened again starts with the newest items, unless the reader goes back to it.
    if (!cameBack()) queryClient.removeQueries({ queryKey, exact: true });
    setOpened(list);
  }
  const query = useInfiniteQuery({
    queryKey,
    // A page that nobody waits for any more ends by itself. It is short, and a cancelled request looks like a fault.
    async queryFn({ pageParam: cursor }): Promise<CursorPage<ItemOf<R>>> {
      const reply = await fetchPage({ limit: pageSize, ...(cursor !== undefined && { cursor }) }, callerSignal());
      return { items: Object.values<unknown>(reply).find(Array.isArray) ?? [], nextCursor: reply.nextCursor };
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // A refetch fetches every page again, so it happens only after a change.
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnReconnect: false,
  });
  const { data, hasNextPage, isFetching, isPlaceholderData, error, fetchNextPage, refetch } = query;
  const pages = data?.pages ?? NO_PAGES;
  const items = useMemo(() => pages.flatMap((page) => page.items), [pages]);
  const isPending = data === undefined && error === null;

  // Other filters begin with one page again.
  const [asked, setAsked] = useState({ wanted: pageSize, list });
  const wanted = options.wanted ?? (asked.list === list ? asked.wanted : pageSize);

  const [emptyPagesLimit, setEmptyPagesLimit] = useState(EMPTY_PAGES_LIMIT);
  const emptyPages = pages.length - 1 - pages.findLastIndex((page) => page.items.length > 0);
  const isPaused = hasNextPage && emptyPages >= emptyPagesLimit;
  const isShort = items.length < Math.max(wanted, pageSize) && hasNextPage && !isPaused;
  useEffect(() => {
    if (isShort && !isFetching && !isPlaceholderData && error === null) void fetchNextPage();
  }, [isShort, isFetching, isPlaceholderData, error, fetchNextPage]);

  return {
    items,
    isPending,
    isEmpty: !isPending && items.length === 0 && !hasNextPage && error === null,
    isOutdated: isPlaceholderData,
    isFetchingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    scanned: pages.reduce((sum, page) => sum + scannedFor(page, pageSize), 0),
    isPaused,
    showMore() {
      if (isPaused) setEmptyPagesLimit(emptyPages + EMPTY_PAGES_LIMIT);
      setAsked({ wanted: items.length + pageSize, list });
    },
    error,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

const NO_PAGES: readonly CursorPage<never>[] = [];

/** A page that is short and not the last one reached the scan limit. */
function scannedFor({ items, nextCursor }: CursorPage<unknown>, pageSize: number): number {
  return nextCursor !== undefined && items.length < pageSize ? SCAN_LIMIT : items.length;
}

/** Cuts the lists of a resource back to their first page and fetches that again, after a change of the resource. */
export function resetCursorPages(queryKey: readonly unknown[]): void {
  queryClient.setQueriesData<unknown>({ queryKey }, (data: unknown) =>
    isInfinite(data) ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : UNCHANGED,
  );
  void queryClient.invalidateQueries({ queryKey });
}

/** Changes items in every list of a resource, and fetches nothing. */
export function updateItems<T>(queryKey: readonly unknown[], update: (item: T) => T): void {
  const updated = (page: CursorPage<T>) => ({ ...page, items: page.items.map(update) });
  queryClient.setQueriesData<unknown>({ queryKey }, (data: unknown) =>
    isInfinite(data) ? { ...data, pages: (data.pages as CursorPage<T>[]).map(updated) } : UNCHANGED,
  );
}

/** To set a query to the data that it has would clear its error: a memory that is not found any more would be shown again. */
const UNCHANGED = undefined;

const isInfinite = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === "object" && data !== null && "pages" in data && "pageParams" in data;
