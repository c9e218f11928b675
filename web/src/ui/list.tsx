// The parts of a list that comes in pages: how many items there are, a text when none match, and the button for more.
import { type ReactNode, useState } from "react";
import type { CursorPages } from "#web/api/use-cursor-pages.ts";
import { Button } from "./form.tsx";
import { EmptyState } from "./page.tsx";
import { ProblemNote } from "./status.tsx";
import { Count } from "./text.tsx";

interface ListCountProps {
  readonly pages: CursorPages<unknown>;
  readonly isFiltered: boolean;
  readonly noun: readonly [one: string, many: string];
}

/** "The newest 50 receipts that match." */
export const ListCount = ({ pages: { items, hasMore, isPending }, isFiltered, noun: [one, many] }: ListCountProps) => (
  <p role="status" className="my-4 min-h-6 text-sm text-soft">
    {!isPending && items.length > 0 && (
      <>
        {hasMore && "The newest "}
        <Count value={items.length} /> {items.length === 1 ? one : many}
        {isFiltered ? " that match." : "."}
      </>
    )}
  </p>
);

interface NoMatchProps {
  readonly title: string;
  readonly all: string;
  readonly clear: () => void;
  readonly children?: ReactNode;
}

export const NoMatch = ({ title, all, clear, children }: NoMatchProps) => (
  <EmptyState title={title}>
    {children}
    <Button className="mt-3" onClick={clear}>
      {all}
    </Button>
  </EmptyState>
);

interface ListEndProps {
  readonly pages: CursorPages<unknown>;
  readonly more: string;
}

export function ListEnd({ pages: { error, retry, hasMore, isPaused, isFetchingMore, showMore }, more }: ListEndProps) {
  if (error !== null) return <ProblemNote error={error} onRetry={retry} />;
  if (!hasMore) return null;
  return (
    <Button className="mt-4" busy={isFetchingMore} onClick={showMore}>
      {isFetchingMore ? "Searching …" : isPaused ? "Search further back" : more}
    </Button>
  );
}

/** The first `count` items of a list, and the button that shows all of them, or fewer again. */
export function useFirst<T>(
  list: readonly T[],
  count: number,
  noun = "",
): readonly [shown: readonly T[], button: ReactNode] {
  const [showsAll, setShowsAll] = useState(false);
  const button = list.length > count && (
    <Button look="plain" className="-ml-1.5" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
      {showsAll ? "Show fewer" : `Show all ${list.length.toLocaleString("en")}${noun}`}
    </Button>
  );
  return [showsAll ? list : list.slice(0, count), button];
}
