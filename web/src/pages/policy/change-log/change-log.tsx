import { memo, useEffect, useState } from "react";
import { client, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { plural } from "#web/lib/strings.ts";
import { Button } from "#web/ui/form.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { AgentLink, NamespaceLink } from "#web/ui/links.tsx";
import { useFirst } from "#web/ui/list.tsx";
import { Disclosure, EmptyState, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Monospace, Name, Timestamp } from "#web/ui/text.tsx";
import { type Change, completeVersionsOf, transitionOf, type Version, versionsWithCut } from "./policy-versions.ts";

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
/** And when they are opened, so many are shown at first. */
const SHOWN_AT_FIRST = 100;

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
    itemsOf: ({ changes }) => changes,
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

function Entry({ entry: { version, at, by, changes, isCut } }: { readonly entry: Version }) {
  return (
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
      <p className="text-soft text-xs sm:text-right">
        <Timestamp at={at} />, by <Name>{by}</Name>
      </p>
    </li>
  );
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  const [shown, showAll] = useFirst(changes, SHOWN_AT_FIRST);
  return (
    <>
      <ul className="flex flex-col gap-1.5 text-sm">
        {shown.map((change) =>
          change.namespace === "" && change.agentId === "" ? (
            <li key="moved">No gate changed. The version moved past that of the ledger.</li>
          ) : (
            <li key={JSON.stringify([change.agentId, change.namespace])} className="flex items-start gap-2">
              <GateIcon open={change.to === true} className="mt-0.5 size-4.5" />
              <span className="min-w-0">
                <NamespaceLink name={change.namespace} className="font-medium" /> for{" "}
                <AgentLink agentId={change.agentId} className="font-medium" />: {transitionOf(change)}
              </span>
            </li>
          ),
        )}
      </ul>
      {showAll}
    </>
  );
}
