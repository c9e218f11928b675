// The list. Only the rows near the window are in the page, so that any number of them scrolls well; more are fetched
// as the end comes near.
import { useState } from "react";
import type { Memory } from "#core/memory.ts";
import { client, keys } from "#web/api/client.ts";
import { type CursorPages, useCursorPages } from "#web/api/use-cursor-pages.ts";
import { Empty } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import type { FiltersInUrl } from "./memory-filters.ts";
import { ListStatus } from "./result-count.tsx";
import { VirtualRows } from "./virtual-list.tsx";

const PAGE = 100;
/** So many rows before the end, the next page is fetched. */
const AHEAD = 40;

export function MemoryList({ filters, isFiltered, clear }: FiltersInUrl) {
  const [reached, setReached] = useState(0);
  const pages = useCursorPages<Memory>({
    queryKey: [...keys.memories, filters],
    fetchPage: async (cursor, signal) => {
      const query = { limit: PAGE, ...filters, ...(cursor !== undefined && { cursor }) };
      const { memories, nextCursor } = await client.listMemories(query, { signal });
      return { items: memories, nextCursor };
    },
    pageSize: PAGE,
    wanted: reached + AHEAD,
  });
  const { items, isPending, hasMore, error, retry } = pages;
  return (
    <>
      <ListStatus pages={pages} filters={filters} />
      {isPending && <Waiting />}
      {items.length === 0 && !isPending && !hasMore && error === null && (
        <Nothing isFiltered={isFiltered} clear={clear} />
      )}
      <div aria-busy={pages.isOutdated}>
        <VirtualRows memories={items} hasMore={hasMore} onReach={setReached} />
      </div>
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      <End pages={pages} />
    </>
  );
}

function Waiting() {
  return (
    <>
      <Loading what="memories" />
      <Skeleton className="mb-3 h-36" />
      <Skeleton className="mb-3 h-36" />
      <Skeleton className="mb-3 h-36" />
    </>
  );
}

function Nothing({ isFiltered, clear }: Pick<FiltersInUrl, "isFiltered" | "clear">) {
  if (!isFiltered) {
    return <Empty title="No memories yet.">Capture the first one, or import a file of them.</Empty>;
  }
  return (
    <Empty title="No memory matches.">
      <p>A search finds text as it is written; letters from A to Z match in either case.</p>
      <Button className="mt-4" onClick={clear}>
        Show all memories
      </Button>
    </Empty>
  );
}

function End({ pages: { isFetchingMore, isPaused, goOn, error } }: { readonly pages: CursorPages<Memory> }) {
  if (isPaused) return <Button onClick={goOn}>Search further back</Button>;
  if (isFetchingMore && error === null) return <Skeleton className="h-36" />;
  return null;
}
