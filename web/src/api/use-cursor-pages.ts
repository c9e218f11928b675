// Long lists, page by page. With filters a page may be short, even empty, and not the last one: then more is fetched
// for as long as there is somebody waiting for it, up to a point.
import { type InfiniteData, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { queryClient } from "./client.ts";

export interface CursorPage<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string | undefined;
}

interface PagesOf<T> {
  readonly queryKey: readonly unknown[];
  readonly fetchPage: (cursor: string | undefined, signal: AbortSignal) => Promise<CursorPage<T>>;
  /** How many a page has when it is full. */
  readonly pageSize: number;
  /** How many are to be shown; 0: one page. */
  readonly wanted: number;
}

export interface CursorPages<T> {
  readonly items: readonly T[];
  readonly isPending: boolean;
  /** What is shown is of the filters before these. */
  readonly isOutdated: boolean;
  readonly isFetchingMore: boolean;
  readonly hasMore: boolean;
  /** At least so many were looked at to find these. */
  readonly searched: number;
  /** Much was looked at without a find. `goOn` looks further. */
  readonly isPaused: boolean;
  readonly goOn: () => void;
  readonly error: Error | null;
  readonly retry: () => void;
}

/** How many records the service looks at for one page, at most. */
const SCANNED = 20_000;
const PATIENCE_PAGES = 25;

export function useCursorPages<T>({ queryKey, fetchPage, pageSize, wanted }: PagesOf<T>): CursorPages<T> {
  const query = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => fetchPage(pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    // To fetch again is to fetch every page again, so that happens only when something changed; and who comes back
    // begins with the newest.
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    refetchOnReconnect: false,
  });
  const { data, hasNextPage, isFetching, isPlaceholderData, error, fetchNextPage, refetch } = query;
  const pages = data?.pages ?? NONE;
  const items = useMemo(() => pages.flatMap((page) => page.items as readonly T[]), [pages]);
  const [patience, setPatience] = useState(PATIENCE_PAGES);
  const inVain = pages.length - 1 - pages.findLastIndex((page) => page.items.length > 0);
  const isPaused = hasNextPage && inVain >= patience;
  const isWanted = items.length < Math.max(wanted, pageSize) && hasNextPage && !isPaused;

  useEffect(() => {
    if (isWanted && !isFetching && !isPlaceholderData && error === null) void fetchNextPage();
  }, [isWanted, isFetching, isPlaceholderData, error, fetchNextPage]);

  return {
    items,
    isPending: data === undefined && error === null,
    isOutdated: isPlaceholderData,
    isFetchingMore: query.isFetchingNextPage,
    hasMore: hasNextPage,
    searched: pages.reduce((sum, page) => sum + lookedAt(page, pageSize), 0),
    isPaused,
    goOn: () => setPatience(inVain + PATIENCE_PAGES),
    error,
    retry: () => void (query.isFetchNextPageError ? fetchNextPage() : refetch()),
  };
}

const NONE: readonly CursorPage<never>[] = [];

function lookedAt({ items, nextCursor }: CursorPage<unknown>, pageSize: number): number {
  return nextCursor !== undefined && items.length < pageSize ? SCANNED : items.length;
}

/** What the lists show has changed: they begin again with their first pages. */
export function startOver(queryKey: readonly unknown[]): void {
  queryClient.setQueriesData<unknown>({ queryKey }, (data: unknown) =>
    isInfinite(data) ? { pages: data.pages.slice(0, 1), pageParams: data.pageParams.slice(0, 1) } : data,
  );
  void queryClient.invalidateQueries({ queryKey });
}

const isInfinite = (data: unknown): data is InfiniteData<unknown> =>
  typeof data === "object" && data !== null && "pages" in data && "pageParams" in data;
