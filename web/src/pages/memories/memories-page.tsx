// /memories: the memories that the caller may read, with filters, a form to capture one, and the import of a file.
import { useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useOverview } from "#web/api/queries.ts";
import { type CursorPages, useCursorPages } from "#web/api/use-cursor-pages.ts";
import { classNames } from "#web/lib/strings.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { ExportButton } from "#web/memory/export-button.tsx";
import type { ListedMemory } from "#web/memory/listed-memory.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "#web/ui/form.tsx";
import { NoMatch } from "#web/ui/list.tsx";
import { EmptyState, Fold, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Count, Counted, say } from "#web/ui/text.tsx";
import { CaptureForm } from "./capture/capture-form.tsx";
import { FilterBar, MEMORY_FILTERS, type MemoryFilters } from "./filter-bar.tsx";
import { ImportPanel } from "./import/import-panel.tsx";
import { VirtualList } from "./virtual-list.tsx";

export default function MemoriesPage() {
  const filters = useFilters(MEMORY_FILTERS);
  const { may, captures } = usePermissions();
  // Open at first on a wide screen, where they stand beside the list; closed on a narrow one, where they stand above.
  const [isWide] = useState(() => matchMedia("(min-width: 64rem)").matches);
  const mayCapture = may("capture") && captures?.length !== 0;
  return (
    <>
      <PageHeader title="Memories" actions={<ExportButton />} />
      <div className={classNames("grid gap-x-12 gap-y-8", mayCapture && "lg:grid-cols-[20rem_minmax(0,1fr)]")}>
        {mayCapture && (
          <div className="lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start lg:overflow-y-auto lg:-mx-1 lg:px-1 lg:pb-4">
            <Fold title="Capture a memory" open={isWide}>
              <CaptureForm />
            </Fold>
            <Fold title="Import a file" open={isWide}>
              <ImportPanel />
            </Fold>
          </div>
        )}
        <section aria-label="All memories" className="min-w-0">
          <FilterBar {...filters} />
          <MemoryList {...filters} />
        </section>
      </div>
    </>
  );
}

const PAGE_SIZE = 100;
/** The next page is fetched this many rows before the end. */
const PREFETCH_ROWS = 40;

function MemoryList({ values, isFiltered, clear }: MemoryFilters) {
  const [reached, setReached] = useState(0);
  const pages = useCursorPages({
    queryKey: [...queryKeys.memories, values],
    fetchPage: (page, signal) => client.listMemories({ ...page, ...values }, { signal }),
    pageSize: PAGE_SIZE,
    wanted: reached + PREFETCH_ROWS,
  });
  const { items, isPending, isEmpty, hasMore, error, retry } = pages;
  return (
    <>
      <ResultCount pages={pages} filters={values} />
      {isPending && <Skeleton what="memories" className="h-[28rem]" />}
      {isEmpty && <NoMemories isFiltered={isFiltered} clear={clear} />}
      <div aria-busy={pages.isOutdated}>
        <VirtualList memories={items} hasMore={hasMore} onReach={setReached} />
      </div>
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {pages.isPaused && <Button onClick={pages.showMore}>Search further back</Button>}
      {pages.isFetchingMore && !pages.isPaused && error === null && <Skeleton className="h-36" />}
    </>
  );
}

function NoMemories({ isFiltered, clear }: Pick<MemoryFilters, "isFiltered" | "clear">) {
  const { may, captures } = usePermissions();
  if (isFiltered)
    return (
      <NoMatch title="No memory matches." all="Show all memories" clear={clear}>
        The search looks for the exact text, in upper or lower case.
      </NoMatch>
    );
  return (
    <EmptyState title="No memories yet.">
      {may("capture") && captures === undefined
        ? "Capture the first one, or import a file."
        : "Memories that you may read will be listed here."}
    </EmptyState>
  );
}

interface ResultCountProps {
  readonly pages: CursorPages<ListedMemory>;
  readonly filters: MemoryFilters["values"];
}

/** How many memories match the filters, and how many were searched for them. */
const ResultCount = ({ pages, filters }: ResultCountProps) => (
  <p role="status" className="my-4 min-h-6 text-sm text-soft">
    {pages.isOutdated && "Searching …"}
    {!pages.isPending && !pages.isOutdated && <Sentence pages={pages} filters={filters} />}
  </p>
);

function Sentence({ pages: { items: shown, hasMore, isPaused, scanned, error }, filters }: ResultCountProps) {
  const items = shown.filter(({ forgotten }) => forgotten === undefined);
  const total = useSearchedCount(filters);
  const isSearch = filters.q !== undefined || (filters.namespace !== undefined && filters.sourceAgent !== undefined);
  if (!isSearch) {
    const count = hasMore ? total : items.length;
    return count === undefined ? null : <Memories count={count} />;
  }
  const matches = say(<Memories count={items.length} />, items.length === 1 ? " matches" : " match");
  const all = total !== undefined && <Count value={total} />;
  if (!hasMore) return say(matches, ". All ", all, " were searched.");
  const next = error === null && (isPaused ? " The search is paused." : " Scroll down for more.");
  const searched = say("At least ", <Count value={scanned} />, all && say(" of ", all));
  return say(matches, " so far. ", searched, " were searched, newest first.", next);
}

/** The number of memories that the search covers, where the overview has it. */
function useSearchedCount({ namespace, sourceAgent, superseded }: MemoryFilters["values"]): number | undefined {
  const memories = useOverview().data?.memories;
  // The overview counts current memories only.
  if (memories === undefined || superseded === "true") return undefined;
  if (namespace !== undefined && sourceAgent !== undefined) return undefined;
  const { namespaces, byNamespace, sourceAgents, bySourceAgent } = memories;
  if (namespace !== undefined)
    return byNamespace.find((row) => row.namespace === namespace)?.count ?? absent(namespaces, byNamespace);
  if (sourceAgent !== undefined)
    return bySourceAgent.find((row) => row.sourceAgent === sourceAgent)?.count ?? absent(sourceAgents, bySourceAgent);
  return memories.total;
}

/** What is not listed has no memories, unless the list was cut. */
const absent = (total: number, listed: readonly unknown[]): number | undefined =>
  listed.length < total ? undefined : 0;

const Memories = ({ count }: { readonly count: number }) => <Counted value={count} one="memory" many="memories" />;
