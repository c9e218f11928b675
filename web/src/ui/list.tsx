// The parts of a list that comes in pages: how many items there are, a text when none match, and the button for more.
import type { ReactNode } from "react";
import type { CursorPages } from "#web/api/use-cursor-pages.ts";
import { Button, useToggle } from "./form.tsx";
import { EmptyState } from "./page.tsx";
import { ProblemNote } from "./status.tsx";
import { Counted } from "./text.tsx";

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
        <Counted value={items.length} one={one} many={many} />
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
  more = `Show all ${list.length.toLocaleString("en")}`,
): readonly [shown: readonly T[], button: ReactNode] {
  const [showsAll, button] = useToggle(more, "Show fewer");
  return [showsAll ? list : list.slice(0, count), list.length > count && button];
}
