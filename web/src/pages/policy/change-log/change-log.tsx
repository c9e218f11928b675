import { useEffect, useState } from "react";
import { client, keys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { Fold } from "#web/ui/disclosure.tsx";
import { Empty } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { Gate } from "#web/ui/gate-icon.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { type Change, fromTo, type Version, wholeVersionsOf } from "./policy-versions.ts";

/** In leaves. */
const PAGE = 100;
const SHOWN_VERSIONS = 20;
/** A version of more leaves than this is folded. */
const FEW = 3;

/** Who changed what, newest first. */
export function ChangeLog() {
  const [count, setCount] = useState(SHOWN_VERSIONS);
  const [wanted, setWanted] = useState(PAGE);
  const { items, isPending, isFetchingMore, hasMore, error, retry } = useCursorPages<Change>({
    queryKey: keys.policyChanges,
    fetchPage: async (cursor, signal) => {
      const query = { limit: PAGE, ...(cursor !== undefined && { cursor }) };
      const { changes, nextCursor } = await client.listPolicyChanges(query, { signal });
      return { items: changes, nextCursor };
    },
    pageSize: PAGE,
    wanted,
  });
  const versions = wholeVersionsOf(items, hasMore);
  const isShort = versions.length < count && hasMore;
  useEffect(() => {
    if (isShort) setWanted(items.length + PAGE);
  }, [isShort, items.length]);

  if (isPending) {
    return (
      <>
        <Loading what="the change log" />
        <Skeleton className="h-48" />
      </>
    );
  }
  return (
    <>
      {items.length === 0 && error === null && <Empty title="Nothing was ever changed." />}
      {versions.length > 0 && (
        <ol aria-label="Changes, newest first" className="divide-y divide-line border-line border-y">
          {versions.slice(0, count).map((version) => (
            <Entry key={version.version} entry={version} />
          ))}
        </ol>
      )}
      {error !== null && <ProblemNote error={error} onRetry={retry} />}
      {(hasMore || versions.length > count) && error === null && (
        <Button className="mt-4" busy={isFetchingMore} onClick={() => setCount(count + SHOWN_VERSIONS)}>
          Show older changes
        </Button>
      )}
    </>
  );
}

function Entry({ entry: { version, at, by, changes } }: { readonly entry: Version }) {
  return (
    <li className="grid gap-x-6 gap-y-1 py-3 sm:grid-cols-[7rem_minmax(0,1fr)_auto]">
      <p className="font-medium text-sm">
        Version <Mono>{version}</Mono>
      </p>
      {changes.length <= FEW ? (
        <Changes changes={changes} />
      ) : (
        <Fold summary={`${changes.length.toLocaleString("en")} gates at once`}>
          <Changes changes={changes} />
        </Fold>
      )}
      <p className="text-soft text-xs sm:text-right">
        <Moment at={at} />, by <Name>{by}</Name>
      </p>
    </li>
  );
}

function Changes({ changes }: { readonly changes: readonly Change[] }) {
  return (
    <ul className="flex flex-col gap-1.5 text-sm">
      {changes.map((change) => (
        <li key={JSON.stringify([change.agentId, change.namespace])} className="flex items-start gap-2">
          <Gate open={change.to === true} className="mt-0.5 size-4.5" />
          <span className="min-w-0">
            <Name className="font-medium">{change.namespace}</Name> for{" "}
            <Name className="font-medium">{change.agentId}</Name>: {fromTo(change)}
          </span>
        </li>
      ))}
    </ul>
  );
}
