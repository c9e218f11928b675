// /receipts: every answer that was given, newest first, by what it used and what became of its receipt.
import { useState } from "react";
import { Link } from "wouter";
import { client, keys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { Empty } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { PageHeader } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { FilterBar } from "./filter-bar.tsx";
import { type FiltersInUrl, useFilters } from "./receipt-filters.ts";
import type { ReceiptEntry } from "./receipt-marks.tsx";
import { EntryRow } from "./receipt-row.tsx";

const PAGE = 50;

export default function ReceiptsPage() {
  const filters = useFilters();
  return (
    <>
      <PageHeader
        title="Receipts"
        lede="Every answer leaves a receipt: what it was made of, what was kept from it, and what was seen of each blob. Receipts are history; nothing here can be changed."
      />
      <FilterBar {...filters} />
      <History key={JSON.stringify(filters.filters)} {...filters} />
    </>
  );
}

function History({ filters, isFiltered, clear }: FiltersInUrl) {
  const [wanted, setWanted] = useState(PAGE);
  const pages = useCursorPages<ReceiptEntry>({
    queryKey: [...keys.receipts, filters],
    fetchPage: async (cursor, signal) => {
      const query = { limit: PAGE, ...filters, ...(cursor !== undefined && { cursor }) };
      const { receipts, nextCursor } = await client.listReceipts(query, { signal });
      return { items: receipts, nextCursor };
    },
    pageSize: PAGE,
    wanted,
  });
  const { items, isPending, isFetchingMore, hasMore, isPaused, goOn, error, retry } = pages;
  return (
    <>
      <p role="status" className="my-4 min-h-6 text-sm text-soft">
        {!isPending && items.length > 0 && <Counted count={items.length} hasMore={hasMore} isFiltered={isFiltered} />}
      </p>
      {isPending && (
        <>
          <Loading what="receipts" />
          <Skeleton className="h-[28rem]" />
        </>
      )}
      {!isPending && items.length === 0 && !hasMore && error === null && (
        <Nothing isFiltered={isFiltered} clear={clear} />
      )}
      {items.length > 0 && (
        <ol aria-label="Receipts, newest first" className="divide-y divide-line rounded-lg border border-line bg-card">
          {items.map((entry) => (
            <EntryRow key={entry.receipt.answerId} entry={entry} />
          ))}
        </ol>
      )}
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {hasMore && error === null && (
        <Button
          className="mt-4"
          busy={isFetchingMore}
          onClick={() => {
            if (isPaused) goOn();
            setWanted(items.length + PAGE);
          }}
        >
          {isFetchingMore ? "Looking …" : isPaused ? "Search further back" : "Show older receipts"}
        </Button>
      )}
    </>
  );
}

interface CountedProps {
  readonly count: number;
  readonly hasMore: boolean;
  readonly isFiltered: boolean;
}

function Counted({ count, hasMore, isFiltered }: CountedProps) {
  return (
    <>
      {hasMore ? "The newest " : ""}
      <Mono className="text-ink">{count.toLocaleString("en")}</Mono> {count === 1 ? "receipt" : "receipts"}
      {isFiltered ? " that fit." : "."}
    </>
  );
}

function Nothing({ isFiltered, clear }: Pick<FiltersInUrl, "isFiltered" | "clear">) {
  if (isFiltered) {
    return (
      <Empty title="No receipt fits.">
        <Button className="mt-2" onClick={clear}>
          Show all receipts
        </Button>
      </Empty>
    );
  }
  return (
    <Empty title="No receipts yet.">
      They come with answers. <Link href="/">Ask something</Link> and the first one is here.
    </Empty>
  );
}
