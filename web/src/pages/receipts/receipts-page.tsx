// /receipts: the receipts of all answers, newest first, with filters.
import { useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { type TimeValues, timesOf } from "#web/lib/time-range.ts";
import { useFilters } from "#web/lib/use-filters.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Count } from "#web/ui/text/monospace.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { RECEIPT_FILTERS, type ReceiptFilters } from "./receipt-filters.ts";
import type { ReceiptEntry } from "./receipt-marks.tsx";
import { ReceiptRow } from "./receipt-row.tsx";

const PAGE_SIZE = 50;

export default function ReceiptsPage() {
  const filters = useFilters(RECEIPT_FILTERS);
  return (
    <>
      <PageHeader
        title="Receipts"
        lede="Every answer has a receipt: the memories that it used, the namespaces that were blocked, and the check of each blob. Receipts cannot be changed."
      />
      <ReceiptList {...filters} />
    </>
  );
}

function ReceiptList(filters: ReceiptFilters) {
  const { values, isFiltered, clear } = filters;
  const key = JSON.stringify(values);
  const [{ wanted, of }, setWanted] = useState({ wanted: PAGE_SIZE, of: key });
  const pages = useCursorPages<ReceiptEntry>({
    queryKey: [...queryKeys.receipts, values],
    fetchPage: async (page, signal) => {
      const { range, from, to, ...rest } = values;
      const times = timesOf({ range, from, to } as TimeValues);
      const { receipts, nextCursor } = await client.listReceipts({ ...page, ...rest, ...times }, { signal });
      return { items: receipts, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted: of === key ? wanted : PAGE_SIZE,
  });
  const { items, isPending, isOutdated, isFetchingMore, hasMore, isPaused, resume, error, retry } = pages;
  const models = [...new Set(items.flatMap(({ receipt }) => receipt.evidence.model ?? []))];
  return (
    <>
      <FilterBar {...filters} models={models} />
      <p role="status" className="my-4 min-h-6 text-sm text-soft">
        {!isPending && items.length > 0 && (
          <ReceiptCount count={items.length} hasMore={hasMore} isFiltered={isFiltered} />
        )}
      </p>
      {isPending && <Skeleton what="receipts" className="h-[28rem]" />}
      {!isPending && items.length === 0 && !hasMore && error === null && (
        <NoReceipts isFiltered={isFiltered} clear={clear} />
      )}
      {items.length > 0 && (
        <ol
          aria-label="Receipts, newest first"
          aria-busy={isOutdated}
          className="divide-y divide-line rounded-lg border border-line bg-card"
        >
          {items.map((entry) => (
            <ReceiptRow key={entry.receipt.answerId} entry={entry} />
          ))}
        </ol>
      )}
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {hasMore && error === null && (
        <Button
          className="mt-4"
          busy={isFetchingMore}
          onClick={() => {
            if (isPaused) resume();
            setWanted({ wanted: items.length + PAGE_SIZE, of: key });
          }}
        >
          {isFetchingMore ? "Searching …" : isPaused ? "Search further back" : "Show older receipts"}
        </Button>
      )}
    </>
  );
}

interface ReceiptCountProps {
  readonly count: number;
  readonly hasMore: boolean;
  readonly isFiltered: boolean;
}

function ReceiptCount({ count, hasMore, isFiltered }: ReceiptCountProps) {
  return (
    <>
      {hasMore ? "The newest " : ""}
      <Count value={count} /> {count === 1 ? "receipt" : "receipts"}
      {isFiltered ? " that match." : "."}
    </>
  );
}

function NoReceipts({ isFiltered, clear }: Pick<ReceiptFilters, "isFiltered" | "clear">) {
  const { mayOpen } = usePermissions();
  if (isFiltered) {
    return (
      <EmptyState title="No receipt matches.">
        <Button className="mt-2" onClick={clear}>
          Show all receipts
        </Button>
      </EmptyState>
    );
  }
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
