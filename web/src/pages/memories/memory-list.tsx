// The list of memories with infinite scrolling: more are fetched when the user comes near the end.
import { useState } from "react";
import { ProblemError } from "#contract/problem.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { type CursorPages, useCursorPages } from "#web/api/use-cursor-pages.ts";
import type { ListedMemory } from "#web/memory/listed-memory.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { AbsentMemory } from "./absent-memory.tsx";
import type { MemoryFilters } from "./memory-filters.ts";
import { ResultCount } from "./result-count.tsx";
import { VirtualList } from "./virtual-list.tsx";

const PAGE_SIZE = 100;
/** The next page is fetched this many rows before the end. */
const PREFETCH_ROWS = 40;

export function MemoryList({ values, isFiltered, clear }: MemoryFilters) {
  const [reached, setReached] = useState(0);
  const { memory: memoryId, ...filters } = values;
  const pages = useCursorPages<ListedMemory>({
    queryKey: [...queryKeys.memories, values],
    fetchPage: async (page, signal) => {
      if (memoryId !== undefined) return { items: [(await client.getMemory({ memoryId }, { signal })).memory] };
      const { memories, nextCursor } = await client.listMemories({ ...page, ...filters }, { signal });
      return { items: memories, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted: reached + PREFETCH_ROWS,
  });
  const { items, isPending, hasMore, error, retry } = pages;
  if (memoryId !== undefined && isUnknown(error)) return <AbsentMemory memoryId={memoryId} clear={clear} />;
  return (
    <>
      <ResultCount pages={pages} filters={values} />
      {isPending && <LoadingRows />}
      {items.length === 0 && !isPending && !hasMore && error === null && (
        <NoMemories isFiltered={isFiltered} clear={clear} />
      )}
      <div aria-busy={pages.isOutdated}>
        <VirtualList memories={items} hasMore={hasMore} onReach={setReached} />
      </div>
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      <ListEnd pages={pages} />
    </>
  );
}

/** The service answers 400 for a text that cannot be an id. */
const isUnknown = (error: Error | null): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 400);

function LoadingRows() {
  return (
    <>
      <Skeleton what="memories" className="mb-3 h-36" />
      <Skeleton className="mb-3 h-36" />
      <Skeleton className="mb-3 h-36" />
    </>
  );
}

function NoMemories({ isFiltered, clear }: Pick<MemoryFilters, "isFiltered" | "clear">) {
  if (!isFiltered) {
    return <NothingYet />;
  }
  return (
    <EmptyState title="No memory matches.">
      <p>The search looks for the exact text. It ignores the case of the letters A to Z.</p>
      <Button className="mt-4" onClick={clear}>
        Show all memories
      </Button>
    </EmptyState>
  );
}

function NothingYet() {
  const { may, captures } = usePermissions();
  if (may("capture") && captures === undefined)
    return <EmptyState title="No memories yet.">Capture the first one, or import a file.</EmptyState>;
  return <EmptyState title="No memories for you yet.">What you may read is shown here.</EmptyState>;
}

function ListEnd({
  pages: { isFetchingMore, isPaused, resume, error },
}: {
  readonly pages: CursorPages<ListedMemory>;
}) {
  if (isPaused) return <Button onClick={resume}>Search further back</Button>;
  if (isFetchingMore && error === null) return <Skeleton className="h-36" />;
  return null;
}
