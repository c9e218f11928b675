// What an agent's answers used, summed up over the receipts that are listed below it.
import { useMemo, useState } from "react";
import { isAllowed } from "#core/gate/policy.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { usePolicy } from "#web/api/queries.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { plural } from "#web/lib/plural.ts";
import type { ReceiptEntry } from "#web/pages/receipts/receipt-marks.tsx";
import { ReceiptRow } from "#web/pages/receipts/receipt-row.tsx";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { usedNamespaces } from "./used-namespaces.ts";

const PAGE_SIZE = 20;

export function AgentReceipts({ agentId }: { readonly agentId: string }) {
  const [wanted, setWanted] = useState(PAGE_SIZE);
  const { items, isPending, isFetchingMore, hasMore, isPaused, resume, error, retry } = useCursorPages<ReceiptEntry>({
    queryKey: [...queryKeys.receipts, "of-agent", agentId],
    fetchPage: async (page, signal) => {
      const { receipts, nextCursor } = await client.listReceipts({ ...page, agentId }, { signal });
      return { items: receipts, nextCursor };
    },
    pageSize: PAGE_SIZE,
    wanted,
  });
  const answers = `${hasMore ? "the newest " : ""}${plural(items.length, "answer")}`;
  return (
    <>
      <Section title="What it used" lede={items.length > 0 ? `Memories that were given for ${answers}.` : undefined}>
        {isPending ? (
          <Skeleton what="the receipts" className="h-24" />
        ) : (
          <UsedNamespaces agentId={agentId} receipts={items} isEmpty={items.length === 0 && error === null} />
        )}
      </Section>
      <Section title="Its receipts">
        {isPending && <Skeleton className="h-72" />}
        {!isPending && items.length === 0 && !hasMore && error === null && <EmptyState title="No receipts yet." />}
        {items.length > 0 && (
          <ol
            aria-label="Receipts, newest first"
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
              setWanted(items.length + PAGE_SIZE);
            }}
          >
            Show older receipts
          </Button>
        )}
      </Section>
    </>
  );
}

interface UsedNamespacesProps {
  readonly agentId: string;
  readonly receipts: readonly ReceiptEntry[];
  readonly isEmpty: boolean;
}

function UsedNamespaces({ agentId, receipts, isEmpty }: UsedNamespacesProps) {
  const used = useMemo(() => usedNamespaces(receipts), [receipts]);
  const policy = usePolicy().data?.policy;
  if (isEmpty) return <p className="text-soft text-sm">It was given no answer yet.</p>;
  if (used.length === 0) return <p className="text-soft text-sm">No memory was given for them.</p>;
  return (
    <ul aria-label="Namespaces that it used" className="divide-y divide-line border-line border-y">
      {used.map(({ namespace, memories, answers }) => (
        <li key={namespace} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-sm">
          <span className="flex min-w-0 items-center gap-x-3">
            <GateIcon open={policy === undefined || isAllowed(policy, agentId, namespace)} className="size-4.5" />
            <NamespaceLink name={namespace} className="min-w-0 font-medium" />
          </span>
          <span className="ml-auto text-soft">
            <Monospace className="text-ink">{memories.toLocaleString("en")}</Monospace>{" "}
            {memories === 1 ? "memory" : "memories"} in{" "}
            <Monospace className="text-ink">{answers.toLocaleString("en")}</Monospace>{" "}
            {answers === 1 ? "answer" : "answers"}
          </span>
        </li>
      ))}
    </ul>
  );
}
