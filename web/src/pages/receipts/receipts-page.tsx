import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { type TimeValues, timesOf } from "#web/lib/time-range.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { ListCount, ListEnd, NoMatch } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Skeleton } from "#web/ui/page.tsx";
import { FilterBar, RECEIPT_FILTERS, type ReceiptFilters } from "./filter-bar.tsx";
import { ReceiptRows } from "./receipt-row.tsx";

const PAGE_SIZE = 50;

export default function ReceiptsPage() {
  const filters = useFilters(RECEIPT_FILTERS);
  return (
    <>
      <PageHeader
        title="Receipts"
        lede="Every answer has a receipt: what it used, and what was held back. It cannot be changed."
      />
      <ReceiptList {...filters} />
    </>
  );
}

function ReceiptList(filters: ReceiptFilters) {
  const { values, isFiltered, clear } = filters;
  const { range, from, to, ...rest } = values;
  const pages = useCursorPages({
    queryKey: [...queryKeys.receipts, values],
    fetchPage: (page, signal) =>
      client.listReceipts({ ...page, ...rest, ...timesOf({ range, from, to } as TimeValues) }, { signal }),
    itemsOf: ({ receipts }) => receipts,
    pageSize: PAGE_SIZE,
  });
  const models = [...new Set(pages.items.flatMap(({ receipt }) => receipt.evidence.model ?? []))];
  return (
    <>
      <FilterBar {...filters} models={models} />
      <ListCount pages={pages} isFiltered={isFiltered} noun={["receipt", "receipts"]} />
      {pages.isPending && <Skeleton what="receipts" className="h-[28rem]" />}
      {pages.isEmpty && <NoReceipts isFiltered={isFiltered} clear={clear} />}
      <ReceiptRows pages={pages} />
      {pages.items.length > 0 && pages.items.every(({ question }) => question === undefined) && (
        <p className="mt-4 text-sm text-soft">
          Questions are not kept here. <code className="font-mono">KEEP_QUESTIONS=true</code> keeps them.
        </p>
      )}
      <ListEnd pages={pages} more="Show older receipts" />
    </>
  );
}

function NoReceipts({ isFiltered, clear }: Pick<ReceiptFilters, "isFiltered" | "clear">) {
  const { mayOpen } = usePermissions();
  if (isFiltered) return <NoMatch title="No receipt matches." all="Show all receipts" clear={clear} />;
  return (
    <EmptyState title="No receipts yet.">
      Every answer has one.{" "}
      {mayOpen("console") && (
        <>
          <Link href={pagePath("console")}>Ask something</Link> to get the first.
        </>
      )}
    </EmptyState>
  );
}
