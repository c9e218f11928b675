// /memories/:memoryId: one memory, its life, what can be done with it, and which answers were given it.
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { Link } from "wouter";
import { useHistoryState } from "wouter/use-browser-location";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import type { Memory } from "#core/memory.ts";
import { client, isUnknown, queryKeys } from "#web/api/client.ts";
import { tombstoneQuery } from "#web/api/queries.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { AsCode } from "#web/code/as-code.tsx";
import { usePathParameter } from "#web/lib/address.ts";
import { BlobId } from "#web/memory/blob.tsx";
import { BlobCheck } from "#web/memory/blob-check.tsx";
import { ForgetMemory } from "#web/memory/forget-memory.tsx";
import { type Forgotten, type MemoryReply, memoryKey } from "#web/memory/listed-memory.ts";
import { LifeMarks, PinButton, PinMark, Supersession } from "#web/memory/memory-marks.tsx";
import { TombstoneNote } from "#web/memory/tombstone-note.tsx";
import { NamespaceGates } from "#web/pages/namespace/namespace-gates.tsx";
import { Explain } from "#web/policy/explain.tsx";
import { type Asked, KeptQuestion, withQuestions } from "#web/receipt/kept-question.tsx";
import { ReceiptStatusMark } from "#web/receipt/receipt-status.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { AgentLink, type MemoryLinkState, NamespaceLink } from "#web/ui/links.tsx";
import { ListEnd } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { CopyableId, Facts, Name, say, Timestamp } from "#web/ui/text.tsx";
import { CorrectMemory, ExpireMemory } from "./capture-again.tsx";

export default function MemoryPage() {
  const memoryId = usePathParameter();
  const { may } = usePermissions();
  const mayRead = may("getMemory");
  // Whoever followed a link to a forgotten memory need not ask for the memory itself.
  const isForgotten = useHistoryState<MemoryLinkState | null>()?.isForgotten === true;
  const { data, error, refetch } = useQuery<MemoryReply>({
    queryKey: memoryKey(memoryId),
    queryFn: () => client.getMemory({ memoryId }),
    enabled: ({ state }) => mayRead && !isForgotten && state.data !== null,
  });
  // The service tells only those who may read memories that one was forgotten.
  const isAbsent = mayRead && (isForgotten || data === null || isUnknown(error));
  const { data: tombstone, isPending } = useQuery({ ...tombstoneQuery(memoryId), enabled: isAbsent });
  const isLoading = isAbsent ? isPending : mayRead && data === undefined && error === null;
  const [forgotten, setForgotten] = useState<Forgotten>();
  const wasShown = useRef(false);
  if (data != null) wasShown.current = true;
  const title = tombstone == null ? "Memory" : "Forgotten memory";
  return (
    <>
      <PageHeader
        title={title}
        lede={mayRead ? undefined : "Auditors see which answers used a memory, not its text."}
      />
      {error !== null && !isUnknown(error) && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data != null && error === null && <MemoryDetails memory={data.memory} onForget={setForgotten} />}
      {isLoading && (
        // What follows appears after it (base.css).
        <section>
          <Skeleton what="the memory" className={isAbsent ? "h-36" : "h-72"} />
        </section>
      )}
      {isAbsent && tombstone != null && (
        // It takes the focus of the button that forgot the memory here.
        <article
          ref={(card) => void (wasShown.current && card?.focus())}
          tabIndex={-1}
          className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-4"
        >
          <TombstoneNote {...forgotten} tombstone={tombstone} />
        </article>
      )}
      {isAbsent && tombstone === null && <EmptyState title="No memory has this id, or you may not read it." />}
      {data != null && error === null && may("getPolicy") && (
        <Section title="Who may see this">
          <NamespaceGates namespace={data.memory.namespace} />
        </Section>
      )}
      {data != null && error === null && may("explain") && (
        <Section title="Why did an agent not get this?">
          <Explain memoryId={memoryId} />
        </Section>
      )}
      <Uses memoryId={memoryId} namespace={data?.memory.namespace ?? tombstone?.namespace} />
    </>
  );
}

interface UsesProps {
  readonly memoryId: string;
  /** Undefined while it is not known, and for a caller who does not read it. */
  readonly namespace: string | undefined;
}

/** For whoever governs the namespace, and for auditors. */
function Uses({ memoryId, namespace }: UsesProps) {
  const { may, governed, governs } = usePermissions();
  const isShown = may("listUses") && (governed === undefined || (namespace !== undefined && governs(namespace)));
  if (!isShown) return null;
  return (
    <Section title="Answers that used it">
      <UseList memoryId={memoryId} />
    </Section>
  );
}

interface MemoryDetailsProps {
  readonly memory: Memory;
  readonly onForget: (forgotten: Forgotten) => void;
}

/** A memory in full, with all that is on record about it, and what the caller may do with it. */
function MemoryDetails({ memory, onForget }: MemoryDetailsProps) {
  const { memoryId, namespace, content, sourceAgent, createdAt, storeRef, contentDigest } = memory;
  const { governs } = usePermissions();
  const cache = useQueryClient();
  /** The page asks again, and finds the tombstone. */
  function showTombstone(forgotten: Forgotten): void {
    onForget(forgotten);
    void cache.invalidateQueries({ queryKey: tombstoneQuery(memoryId).queryKey });
  }
  return (
    <article className="rounded-lg border border-line bg-card px-5 pt-5 pb-4 sm:px-7">
      <p dir="auto" className="untrusted measure whitespace-pre-line font-serif text-lg leading-snug">
        {content}
      </p>
      <p className="mt-2 flex flex-wrap gap-2 text-xs empty:hidden">
        {memory.pinned && <PinMark />}
        <LifeMarks memory={memory} />
      </p>
      <Supersession memory={memory} />
      <Facts
        className="mt-5 grid-cols-[auto_minmax(0,1fr)] text-sm"
        rows={{
          Namespace: <NamespaceLink name={namespace} />,
          "Source agent": <AgentLink agentId={sourceAgent} />,
          Captured: <Timestamp at={createdAt} />,
          "Memory id": <CopyableId value={memoryId} label="memory id" ends={10} />,
          Blob: <BlobId blobId={storeRef} ends={10} />,
          Digest: <CopyableId value={contentDigest} label="digest" ends={10} />,
        }}
      />
      <div className="mt-4 flex flex-wrap items-center gap-x-3 gap-y-1 border-line border-t pt-3 text-soft text-xs [&>button:first-child]:-ml-1.5">
        <BlobCheck memory={memory} />
        <PinButton memory={memory} />
        <CorrectMemory memory={memory} />
        <ExpireMemory memory={memory} />
        <ForgetMemory memory={memory} onForget={showTombstone} />
      </div>
      {governs(namespace) && memory.supersededBy === undefined && (
        <AsCode
          summary={memory.pinned ? "Unpin, as code" : "Pin, as code"}
          route="updateMemory"
          input={{ params: { memoryId }, body: { pinned: !memory.pinned } }}
        />
      )}
    </article>
  );
}

type MemoryUse = Reply<"listUses">["uses"][number] & Asked;

const PAGE_SIZE = 20;

function UseList({ memoryId }: { readonly memoryId: string }) {
  const pages = useCursorPages({
    queryKey: [...queryKeys.receipts, "uses", memoryId],
    async fetchPage(page, signal) {
      const { uses, ...rest } = await client.listUses({ memoryId }, page, { signal });
      return { ...rest, uses: await withQuestions(uses) };
    },
    pageSize: PAGE_SIZE,
  });
  return (
    <div>
      {pages.isPending && <Skeleton what="the answers" className="h-5 w-64 max-w-full" />}
      {pages.isEmpty && <p className="text-soft">No answer used it.</p>}
      <ul aria-label="Answers that used it" className="flex flex-col gap-1 empty:hidden">
        {pages.items.map((use) => (
          <Use key={use.answerId} use={use} />
        ))}
      </ul>
      <ListEnd pages={pages} more="Show older answers" />
    </div>
  );
}

function Use({ use: { answerId, agentId, createdAt, status, question } }: { readonly use: MemoryUse }) {
  const { mayOpen } = usePermissions();
  const what = say("answer to ", <Name>{agentId}</Name>, ", ", <Timestamp at={createdAt} />);
  return (
    <li className="flex min-h-6 flex-wrap items-center gap-x-3">
      {mayOpen("receipt") ? <Link href={pagePath("receipt", { answerId })}>{what}</Link> : <span>{what}</span>}
      <ReceiptStatusMark status={status} />
      <KeptQuestion question={question} className="basis-full" />
    </li>
  );
}
