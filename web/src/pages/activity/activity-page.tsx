// /activity: what happened, newest first, by day. It reads the decision log.
import { useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Count } from "#web/ui/text/monospace.tsx";
import { ActivityEntry } from "./activity-entry.tsx";
import { ACTIVITY_FILTERS, type ActivityFilters, queryOf } from "./activity-filters.ts";
import { byDay, dayName } from "./days.ts";
import type { Decision } from "./decision.ts";
import { ExportActivity } from "./export-activity.tsx";
import { FilterBar } from "./filter-bar.tsx";

const PAGE_SIZE = 50;

export default function ActivityPage() {
  const filters = useFilters(ACTIVITY_FILTERS);
  return (
    <>
      <PageHeader
        title="Activity"
        lede="Who asked, what passed the gate, what was held back, and every change: gates, captures, forgettings, anchors."
        actions={<ExportActivity values={filters.values} />}
      />
      <FilterBar {...filters} />
      <Timeline key={JSON.stringify(filters.values)} {...filters} />
    </>
  );
}

function Timeline({ values, isFiltered, clear }: ActivityFilters) {
  const [wanted, setWanted] = useState(PAGE_SIZE);
  const { items, isPending, isFetchingMore, hasMore, isPaused, resume, error, retry } = useCursorPages<Decision>({
    queryKey: [...queryKeys.decisions, values],
    fetchPage: async (page, signal) => {
      const { decisions, nextCursor } = await client.listDecisions({ ...page, ...queryOf(values) }, { signal });
      return { items: decisions, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted,
  });
  return (
    <>
      <p role="status" className="my-4 min-h-6 text-sm text-soft">
        {!isPending && items.length > 0 && (
          <>
            {hasMore ? "The newest " : ""}
            <Count value={items.length} /> {items.length === 1 ? "entry" : "entries"}
            {isFiltered ? " that match." : "."}
          </>
        )}
      </p>
      {isPending && <Skeleton what="the activity" className="h-[28rem]" />}
      {!isPending && items.length === 0 && !hasMore && error === null && (
        <Nothing isFiltered={isFiltered} clear={clear} />
      )}
      {byDay(items).map(({ date, entries }) => (
        <section key={date.getTime()} aria-label={dayName(date)} className="mb-8">
          <h2 className="border-ink border-b pb-1 font-medium font-serif text-lg">{dayName(date)}</h2>
          <ol className="divide-y divide-line">
            {entries.map((decision) => (
              <ActivityEntry key={decision.sequence ?? decision.id} decision={decision} />
            ))}
          </ol>
        </section>
      ))}
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {hasMore && error === null && (
        <Button
          busy={isFetchingMore}
          onClick={() => {
            if (isPaused) resume();
            setWanted(items.length + PAGE_SIZE);
          }}
        >
          {isFetchingMore ? "Searching …" : isPaused ? "Search further back" : "Show older entries"}
        </Button>
      )}
    </>
  );
}

function Nothing({ isFiltered, clear }: Pick<ActivityFilters, "isFiltered" | "clear">) {
  if (!isFiltered)
    return <EmptyState title="Nothing yet.">Every answer, capture and change will be listed here.</EmptyState>;
  return (
    <EmptyState title="Nothing matches.">
      <Button className="mt-2" onClick={clear}>
        Show all activity
      </Button>
    </EmptyState>
  );
}
