// How many memories match the filters, and how many were searched for them.
import { useOverview } from "#web/api/queries.ts";
import type { CursorPages } from "#web/api/use-cursor-pages.ts";
import type { ListedMemory } from "#web/memory/listed-memory.ts";
import { Count } from "#web/ui/text/monospace.tsx";
import type { MemoryFilters } from "./memory-filters.ts";

interface ResultCountProps {
  readonly pages: CursorPages<ListedMemory>;
  readonly filters: MemoryFilters["values"];
}

export function ResultCount({ pages, filters }: ResultCountProps) {
  return (
    <p role="status" className="my-4 min-h-6 text-sm text-soft">
      {pages.isOutdated && "Searching …"}
      {!pages.isPending && !pages.isOutdated && <Sentence pages={pages} filters={filters} />}
    </p>
  );
}

function Sentence({ pages: { items: shown, hasMore, isPaused, scanned, error }, filters }: ResultCountProps) {
  const items = shown.filter(({ forgotten }) => forgotten === undefined);
  const total = useSearchedCount(filters);
  const isSearch = filters.q !== undefined || (filters.namespace !== undefined && filters.sourceAgent !== undefined);
  if (!isSearch) {
    const count = hasMore ? total : items.length;
    return count === undefined ? null : <Memories count={count} />;
  }
  const matches = (
    <>
      <Memories count={items.length} /> {items.length === 1 ? "matches" : "match"}
    </>
  );
  if (!hasMore) {
    return (
      <>
        {matches}. All {total !== undefined && <Count value={total} />} were searched.
      </>
    );
  }
  return (
    <>
      {matches} so far. At least <Count value={scanned} /> {total !== undefined && <OutOf total={total} />} were
      searched, newest first.
      {error === null && (isPaused ? " The search is paused." : " Scroll down for more.")}
    </>
  );
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

const OutOf = ({ total }: { readonly total: number }) => (
  <>
    of <Count value={total} />
  </>
);

const Memories = ({ count }: { readonly count: number }) => (
  <>
    <Count value={count} /> {count === 1 ? "memory" : "memories"}
  </>
);
