// How many there are, and how far was searched.
import type { Memory } from "#core/memory.ts";
import { useOverview } from "#web/api/client.ts";
import type { CursorPages } from "#web/api/use-cursor-pages.ts";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import type { Filters } from "./memory-filters.ts";

interface ListStatusProps {
  readonly pages: CursorPages<Memory>;
  readonly filters: Filters;
}

export function ListStatus({ pages, filters }: ListStatusProps) {
  return (
    <p role="status" className="my-4 min-h-6 text-sm text-soft">
      {pages.isOutdated && "Searching …"}
      {!pages.isPending && !pages.isOutdated && <Told pages={pages} filters={filters} />}
    </p>
  );
}

function Told({ pages: { items, hasMore, isPaused, searched, error }, filters }: ListStatusProps) {
  const among = useCountAmong(filters);
  const isSearch = filters.q !== undefined || (filters.namespace !== undefined && filters.sourceAgent !== undefined);
  if (!isSearch) {
    const total = hasMore ? among : items.length;
    return total === undefined ? null : <Memories count={total} />;
  }
  const found = (
    <>
      <Memories count={items.length} /> {items.length === 1 ? "matches" : "match"}
    </>
  );
  if (!hasMore) {
    return (
      <>
        {found}. All {among !== undefined && <Figure of={among} />} were searched.
      </>
    );
  }
  return (
    <>
      {found} so far. At least <Figure of={searched} /> {among !== undefined && <OutOf total={among} />} were searched,
      newest first.
      {error === null && (isPaused ? " The search rests here." : " Scroll on for more.")}
    </>
  );
}

/** How many there are to search in, where that is known. */
function useCountAmong({ namespace, sourceAgent }: Filters): number | undefined {
  const memories = useOverview().data?.memories;
  if (memories === undefined) return undefined;
  if (namespace !== undefined && sourceAgent !== undefined) return undefined;
  if (namespace !== undefined) return memories.byNamespace.find((it) => it.namespace === namespace)?.count ?? 0;
  if (sourceAgent !== undefined) return memories.bySourceAgent.find((it) => it.sourceAgent === sourceAgent)?.count ?? 0;
  return memories.total;
}

const Figure = ({ of }: { readonly of: number }) => <Mono className="text-ink">{of.toLocaleString("en")}</Mono>;

const OutOf = ({ total }: { readonly total: number }) => (
  <>
    of <Figure of={total} />
  </>
);

const Memories = ({ count }: { readonly count: number }) => (
  <>
    <Figure of={count} /> {count === 1 ? "memory" : "memories"}
  </>
);
