import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { ListCount, ListEnd, NoMatch } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ActivityEntry } from "./activity-entry.tsx";
import { byDay, dayName } from "./days.ts";
import { ExportActivity } from "./export-activity.tsx";
import { ACTIVITY_FILTERS, type ActivityFilters, FilterBar, queryOf } from "./filter-bar.tsx";

const PAGE_SIZE = 50;

export default function ActivityPage() {
  const filters = useFilters(ACTIVITY_FILTERS);
  return (
    <>
      <PageHeader
        title="Activity"
        lede="Every question, what it used and what was held back, and every change."
        actions={<ExportActivity values={filters.values} />}
      />
      <FilterBar {...filters} />
      <Timeline key={JSON.stringify(filters.values)} {...filters} />
    </>
  );
}

function Timeline({ values, isFiltered, clear }: ActivityFilters) {
  const pages = useCursorPages({
    queryKey: [...queryKeys.decisions, values],
    fetchPage: (page, signal) => client.listDecisions({ ...page, ...queryOf(values) }, { signal }),
    itemsOf: ({ decisions }) => decisions,
    pageSize: PAGE_SIZE,
  });
  return (
    <>
      <ListCount pages={pages} isFiltered={isFiltered} noun={["entry", "entries"]} />
      {pages.isPending && <Skeleton what="the activity" className="h-[28rem]" />}
      {pages.isEmpty &&
        (isFiltered ? (
          <NoMatch title="No entry matches." all="Show all activity" clear={clear} />
        ) : (
          <EmptyState title="Nothing yet.">Every answer, capture and change will be listed here.</EmptyState>
        ))}
      {byDay(pages.items).map(({ date, entries }) => (
        <section key={date.getTime()} aria-label={dayName(date)} className="mb-8">
          <h2 className="border-ink border-b pb-1 font-medium font-serif text-lg">{dayName(date)}</h2>
          <ol className="divide-y divide-line">
            {entries.map((decision) => (
              <ActivityEntry key={decision.sequence ?? decision.id} decision={decision} />
            ))}
          </ol>
        </section>
      ))}
      <ListEnd pages={pages} more="Show older entries" />
    </>
  );
}
