// /activity: the log of decisions as a timeline; of answers, their receipts.
import { useEffect, useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { ReceiptRows } from "#web/pages/receipts/receipt-row.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { ListCount, ListEnd, NoMatch } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { ActivityEntry } from "./activity-entry.tsx";
import { byDay, dayName } from "./days.ts";
import { ExportActivity } from "./export-activity.tsx";
import { ACTIVITY_FILTERS, type ActivityFilters, FilterBar, queryOf, receiptQueryOf } from "./filter-bar.tsx";

const PAGE_SIZE = 50;

export default function ActivityPage() {
  const filters = useFilters(ACTIVITY_FILTERS);
  const { kind, requestId } = filters.values;
  const [models, setModels] = useState<readonly string[]>([]);
  return (
    <>
      <PageHeader title="Activity" actions={<ExportActivity values={filters.values} />} />
      <FilterBar {...filters} models={models} />
      {kind === "answer" && requestId === undefined ? (
        <Receipts {...filters} onModels={setModels} />
      ) : (
        <Timeline key={JSON.stringify(filters.values)} {...filters} />
      )}
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
          <NoMatch title="No entry matches." all="Show all activity" clear={clear}>
            {values.requestId !== undefined && "Requests that only read, and malformed ones, leave no entry."}
          </NoMatch>
        ) : (
          <EmptyState title="Nothing yet." />
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

interface ReceiptsProps extends ActivityFilters {
  /** Called with the models of the receipts that are listed. */
  readonly onModels: (models: readonly string[]) => void;
}

function Receipts({ values, clear, onModels }: ReceiptsProps) {
  const { mayOpen } = usePermissions();
  const pages = useCursorPages({
    queryKey: [...queryKeys.receipts, values],
    fetchPage: (page, signal) => client.listReceipts({ ...page, ...receiptQueryOf(values) }, { signal }),
    itemsOf: ({ receipts }) => receipts,
    pageSize: PAGE_SIZE,
  });
  const { items } = pages;
  useEffect(
    () => onModels([...new Set(items.flatMap(({ receipt }) => receipt.evidence.model ?? []))]),
    [items, onModels],
  );
  const isFiltered = Object.keys(values).length > 1;
  return (
    <>
      <ListCount pages={pages} isFiltered={isFiltered} noun={["receipt", "receipts"]} />
      {pages.isPending && <Skeleton what="receipts" className="h-[28rem]" />}
      {pages.isEmpty &&
        (isFiltered ? (
          <NoMatch title="No receipt matches." all="Show all activity" clear={clear} />
        ) : (
          <EmptyState title="No receipts yet.">
            {mayOpen("console") && <Link href={pagePath("console")}>Ask something</Link>}
          </EmptyState>
        ))}
      <ReceiptRows pages={pages} />
      {items.length > 0 && items.every(({ question }) => question === undefined) && (
        <p className="mt-4 text-sm text-soft">
          <code className="font-mono">KEEP_QUESTIONS=true</code> keeps questions with their receipts.
        </p>
      )}
      <ListEnd pages={pages} more="Show older receipts" />
    </>
  );
}
