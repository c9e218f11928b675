// /memories/:memoryId: one memory, its life, what can be done with it, and which answers were given it.
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useHistoryState } from "wouter/use-browser-location";
import { ProblemError } from "#contract/problem.ts";
import { client } from "#web/api/client.ts";
import { tombstoneQuery } from "#web/api/queries.ts";
import { usePathParameter } from "#web/lib/use-path-parameter.ts";
import { type MemoryReply, memoryKey } from "#web/memory/listed-memory.ts";
import { UseList } from "#web/memory/memory-uses.tsx";
import { TombstoneNote } from "#web/memory/tombstone-note.tsx";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import type { MemoryLinkState } from "#web/ui/links/memory-link.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { MemoryDetails } from "./memory-details.tsx";

export default function MemoryPage() {
  const memoryId = usePathParameter();
  return <MemoryById key={memoryId} memoryId={memoryId} />;
}

function MemoryById({ memoryId }: { readonly memoryId: string }) {
  const { may } = usePermissions();
  const mayRead = may("getMemory");
  // Whoever followed a link to a forgotten memory need not ask for the memory itself.
  const isForgotten = useHistoryState<MemoryLinkState | null>()?.isForgotten === true;
  const { data, error, refetch } = useQuery<MemoryReply>({
    queryKey: memoryKey(memoryId),
    queryFn: ({ signal }) => client.getMemory({ memoryId }, { signal }),
    enabled: ({ state }) => mayRead && !isForgotten && state.data !== null,
  });
  // The service tells only those who may read memories that one was forgotten.
  const isAbsent = mayRead && (isForgotten || data === null || isUnknown(error));
  const { data: tombstone, isPending } = useQuery({ ...tombstoneQuery(memoryId), enabled: isAbsent });
  const wasShown = useRef(false);
  if (data != null) wasShown.current = true;
  const title = tombstone == null ? "Memory" : "Forgotten memory";
  return (
    <>
      <PageHeader title={title} lede={lede(mayRead, tombstone != null)} />
      {error !== null && !isUnknown(error) && <ProblemNote error={error} onRetry={() => void refetch()} />}
      {data != null && error === null && <MemoryDetails memory={data.memory} />}
      {mayRead && !isAbsent && data === undefined && error === null && <Skeleton what="the memory" className="h-72" />}
      {isAbsent && isPending && <Skeleton what="the memory" className="h-36" />}
      {isAbsent && tombstone != null && (
        // It takes the focus of the button that forgot the memory here.
        <article
          ref={(card) => void (wasShown.current && card?.focus())}
          tabIndex={-1}
          className="rounded-lg border border-line bg-card px-5 pt-3.5 pb-4"
        >
          <TombstoneNote tombstone={tombstone} />
        </article>
      )}
      {isAbsent && tombstone === null && <EmptyState title="There is no memory with this id for you." />}
      <Uses memoryId={memoryId} namespace={data?.memory.namespace ?? tombstone?.namespace} />
    </>
  );
}

function lede(mayRead: boolean, isForgotten: boolean): string {
  if (!mayRead) return "An auditor sees which answers were given a memory, and not its text.";
  if (isForgotten) return "Its text is gone. What is on record about it stays, and the answers that were given it.";
  return "Its text, what is on record about it, and the answers that were given it.";
}

/** The service answers 400 for a text that cannot be an id. */
const isUnknown = (error: Error | null): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 400);

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
    <Section title="Answers that were given it">
      <UseList memoryId={memoryId} />
    </Section>
  );
}
