import { memo, useEffect, useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { plural } from "#web/lib/strings.ts";
import { Button } from "#web/ui/form.tsx";
import { Disclosure, EmptyState, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Monospace, Name, Timestamp } from "#web/ui/text.tsx";
import { Changes, Undo } from "./changes.tsx";
import { completeVersionsOf, type Version, versionsWithCut } from "./policy-versions.ts";

/**
 * The number of changed gates of a page. One page is fetched at first, and again with every change of the policy: one
 * version may have changed 100,000 gates.
 */
const PAGE_SIZE = 200;
const VERSIONS_PER_CLICK = 20;
/** So many changes are fetched at most for one click. */
const CHANGES_PER_CLICK = 1_000;
/** The gates of a version that changed more than this are hidden at first. */
const MAX_UNFOLDED = 3;

interface ChangeLogProps {
  /** Only the changes of this agent's gates, or of the gates to this namespace. */
  readonly filter?: { readonly agentId: string } | { readonly namespace: string };
}

/** The versions of the policy, newest first, with their changes. */
export const ChangeLog = memo(function ChangeLog({ filter }: ChangeLogProps) {
  const [count, setCount] = useState(VERSIONS_PER_CLICK);
  const [wanted, setWanted] = useState(PAGE_SIZE);
  const { items, isPending, isFetchingMore, hasMore, error, retry } = useCursorPages({
    queryKey: filter === undefined ? queryKeys.policyChanges : [...queryKeys.policyChanges, filter],
    fetchPage: (page, signal) => client.listPolicyChanges({ ...page, ...filter }, { signal }),
    pageSize: PAGE_SIZE,
    wanted,
  });
  const [limit, setLimit] = useState(PAGE_SIZE);
  const complete = completeVersionsOf(items, hasMore);
  const isLimited = complete.length < count && hasMore && items.length >= limit;
  const versions = isLimited ? versionsWithCut(items) : complete;
  const isShort = complete.length < count && hasMore && !isLimited;
  useEffect(() => {
    if (isShort) setWanted(items.length + PAGE_SIZE);
  }, [isShort, items.length]);

  function showOlder(): void {
    setCount(count + VERSIONS_PER_CLICK);
    setLimit(items.length + CHANGES_PER_CLICK);
  }

  if (isPending) return <Skeleton what="the change log" className="h-48" />;
  return (
    <>
      {items.length === 0 && error === null && <EmptyState title="No changes yet." />}
      {versions.length > 0 && (
        <ol aria-label="Changes, newest first" className="divide-y divide-line border-line border-y">
          {versions.slice(0, count).map((version) => (
            <Entry key={version.version} entry={version} />
          ))}
        </ol>
      )}
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {(hasMore || versions.length > count) && error === null && (
        <Button className="mt-4" busy={isFetchingMore} onClick={showOlder}>
          Show older changes
        </Button>
      )}
    </>
  );
});

const Entry = ({ entry: { version, at, by, changes, isCut } }: { readonly entry: Version }) => (
  <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[7rem_minmax(0,1fr)_auto]">
    <p className="font-medium text-sm">
      Version <Monospace>{version}</Monospace>
    </p>
    {changes.length <= MAX_UNFOLDED && isCut !== true ? (
      <Changes changes={changes} />
    ) : (
      <Disclosure summary={`${plural(changes.length, "gate")} ${isCut === true ? "or more " : ""}changed at once`}>
        {() => <Changes changes={changes} />}
      </Disclosure>
    )}
    <div className="text-soft text-xs sm:text-right">
      <Timestamp at={at} />, by <Name>{by}</Name> {isCut !== true && <Undo what={`version ${version}`} of={changes} />}
    </div>
  </li>
);
