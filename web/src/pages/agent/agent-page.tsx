// /agents/:agentId: what an agent may use, what its answers used, its receipts, and the history of its gates.
import { useMemo } from "react";
import { isAllowed } from "#core/gate/policy.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { usePolicy } from "#web/api/queries.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { usePathParameter } from "#web/lib/address.ts";
import { ExportButton } from "#web/memory/export-button.tsx";
import { MemoryCards } from "#web/memory/memory-card.tsx";
import { ChangeLog } from "#web/pages/policy/change-log/change-log.tsx";
import { type ReceiptEntry, ReceiptRows } from "#web/pages/receipts/receipt-row.tsx";
import { AgentGates } from "#web/policy/agent-gates.tsx";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { NamespaceLink } from "#web/ui/links.tsx";
import { ListEnd, useFirst } from "#web/ui/list.tsx";
import { Disclosure, EmptyState, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { Counted } from "#web/ui/text.tsx";

export default function AgentPage() {
  const agentId = usePathParameter();
  const { may, agentId: own } = usePermissions();
  const agents = useAgentsAndNamespaces()?.agents;
  if (own !== undefined && own !== agentId) {
    return (
      <>
        <PageHeader title={agentId} kind="Agent" />
        <EmptyState title="Not allowed.">An agent sees only its own page.</EmptyState>
      </>
    );
  }
  const isUnknown = agents?.includes(agentId) === false;
  return (
    <>
      <PageHeader
        title={agentId}
        kind="Agent"
        lede={isUnknown ? "This agent is unknown. All its gates are closed." : undefined}
        actions={!isUnknown && <ExportButton of={{ sourceAgent: agentId }} />}
      />
      <Section title="What it may use" className="">
        <AgentGates agentId={agentId} layout="stack" />
        {/* Whoever looks is on record, so it is asked for. */}
        {own === undefined && may("listMemories") && (
          <Disclosure summary="Memories that it may use">{() => <AllowedMemories agentId={agentId} />}</Disclosure>
        )}
      </Section>
      {may("listReceipts") && <AgentReceipts agentId={agentId} />}
      {may("listPolicyChanges") && (
        <Section title="History of its gates">
          <ChangeLog filter={{ agentId }} />
        </Section>
      )}
    </>
  );
}

/** Under the policy of now: another version drops them at once. */
function AllowedMemories({ agentId }: { readonly agentId: string }) {
  const version = usePolicy().data?.version;
  const pages = useCursorPages({
    queryKey: [...queryKeys.memories, "view-as", agentId, version],
    fetchPage: (page, signal) => client.listMemories({ ...page, viewAs: agentId }, { signal }),
    pageSize: PAGE_SIZE,
  });
  return (
    <>
      {pages.isPending && <Skeleton what="memories" className="h-72" />}
      {pages.isEmpty && <EmptyState title="This agent may use no memory." />}
      {!pages.isOutdated && <MemoryCards memories={pages.items} />}
      <ListEnd pages={pages} more="Show older memories" />
    </>
  );
}

const PAGE_SIZE = 20;
const SHOWN_AT_FIRST = 4;

/** What an agent's answers used, summed up over the receipts that are listed below it. */
function AgentReceipts({ agentId }: { readonly agentId: string }) {
  const pages = useCursorPages({
    queryKey: [...queryKeys.receipts, "of-agent", agentId],
    fetchPage: (page, signal) => client.listReceipts({ ...page, agentId }, { signal }),
    pageSize: PAGE_SIZE,
  });
  const { items, isPending, isEmpty, hasMore } = pages;
  const [shown, showAll] = useFirst(items, SHOWN_AT_FIRST, `Show ${items.length - SHOWN_AT_FIRST} more`);
  return (
    <>
      <Section title="What it used" lede={hasMore ? `In the newest ${items.length} answers.` : undefined}>
        {isPending ? (
          <Skeleton what="the receipts" className="h-24" />
        ) : (
          <UsedNamespaces agentId={agentId} receipts={items} />
        )}
      </Section>
      <Section title="Its receipts">
        {isPending && <Skeleton className="h-72" />}
        {isEmpty && <EmptyState title="No receipts yet." />}
        <ReceiptRows pages={{ ...pages, items: shown }} />
        {showAll && <p className="mt-2">{showAll}</p>}
        {shown.length === items.length && <ListEnd pages={pages} more="Show older receipts" />}
      </Section>
    </>
  );
}

interface UsedNamespacesProps {
  readonly agentId: string;
  readonly receipts: readonly ReceiptEntry[];
}

function UsedNamespaces({ agentId, receipts }: UsedNamespacesProps) {
  const used = useMemo(() => usedNamespaces(receipts), [receipts]);
  const policy = usePolicy().data?.policy;
  if (used.length === 0) return <p className="text-soft text-sm">No memory so far.</p>;
  return (
    <ul aria-label="Namespaces that it used" className="divide-y divide-line border-line border-y">
      {used.map(({ namespace, memories, answers }) => (
        <li key={namespace} className="flex flex-wrap items-center gap-x-3 gap-y-1 py-2.5 text-sm">
          <span className="flex min-w-0 items-center gap-x-3">
            <GateIcon open={policy === undefined || isAllowed(policy, agentId, namespace)} className="size-4.5" />
            <NamespaceLink name={namespace} className="min-w-0 font-medium" />
          </span>
          <span className="ml-auto text-soft">
            <Counted value={memories} one="memory" many="memories" /> in <Counted value={answers} one="answer" />
          </span>
        </li>
      ))}
    </ul>
  );
}

/** The one with most answers first. Each memory counts once, however often it was given. */
export function usedNamespaces(entries: readonly Pick<ReceiptEntry, "receipt">[]) {
  const found = new Map<string, { memories: Set<string>; answers: Set<string> }>();
  for (const { receipt } of entries) {
    for (const { namespace, memoryId } of receipt.usedMemories) {
      const { memories, answers } = found.get(namespace) ?? { memories: new Set<string>(), answers: new Set<string>() };
      memories.add(memoryId);
      answers.add(receipt.answerId);
      found.set(namespace, { memories, answers });
    }
  }
  return [...found]
    .map(([namespace, { memories, answers }]) => ({ namespace, memories: memories.size, answers: answers.size }))
    .sort((a, b) => b.answers - a.answers || b.memories - a.memories || a.namespace.localeCompare(b.namespace));
}
