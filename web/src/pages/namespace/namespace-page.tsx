// /namespaces/:name: who may use a namespace, its memories, its settings, and the history of its gates.
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { client, isUnknown, queryKeys } from "#web/api/client.ts";
import { useCursorPages } from "#web/api/use-cursor-pages.ts";
import { usePathParameter } from "#web/lib/address.ts";
import { plural } from "#web/lib/strings.ts";
import { ExportButton } from "#web/memory/export-button.tsx";
import { MemoryCards } from "#web/memory/memory-card.tsx";
import { ChangeLog } from "#web/pages/policy/change-log/change-log.tsx";
import { usePermissions } from "#web/session/permissions.ts";
import { Lock } from "#web/ui/icons.tsx";
import { useReadsNamespace } from "#web/ui/links.tsx";
import { ListEnd } from "#web/ui/list.tsx";
import { EmptyState, PageHeader, Section, Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { NamespaceGates } from "./namespace-gates.tsx";
import { type NamespaceEntry, NamespaceSettings } from "./namespace-settings.tsx";

export default function NamespacePage() {
  const name = usePathParameter();
  const { data, error, isPending, refetch } = useQuery({
    queryKey: [...queryKeys.namespaces, "one", name],
    queryFn: () => client.getNamespace({ name }),
  });
  const { may, governs } = usePermissions();
  const isReadable = useReadsNamespace();
  if (error !== null && !isUnknown(error)) {
    return (
      <>
        <PageHeader title={name} kind="Namespace" />
        <ProblemNote error={error} onRetry={() => void refetch()} />
      </>
    );
  }
  const isAbsent = error !== null;
  return (
    <>
      <PageHeader
        title={name}
        kind="Namespace"
        lede={isPending ? <Skeleton lines={1} /> : isAbsent ? undefined : <About {...data.namespace} />}
        actions={!isAbsent && isReadable(name) && <ExportButton of={{ namespace: name }} />}
      />
      {isAbsent && <Unknown mayCreate={governs(name)} />}
      {(!isAbsent || governs(name)) && (
        <Section title="Who may use it" className={isAbsent ? "mt-10" : ""}>
          <NamespaceGates namespace={name} />
        </Section>
      )}
      {!isAbsent && may("listMemories") && isReadable(name) && <NamespaceMemories namespace={name} />}
      {governs(name) && !isPending && (
        <Section title="Settings">
          <NamespaceSettings name={name} namespace={data?.namespace} />
        </Section>
      )}
      {may("listPolicyChanges") && (
        <Section title="History of its gates">
          <ChangeLog filter={{ namespace: name }} />
        </Section>
      )}
    </>
  );
}

const About = ({ description, memories, retentionSeconds, encrypted }: NamespaceEntry) => (
  <>
    {description !== undefined && (
      <p dir="auto" className="untrusted">
        {description}
      </p>
    )}
    <p className={description === undefined ? "" : "mt-2 text-base"}>
      {plural(memories, "memory", "memories")}
      {retentionSeconds !== undefined && `, kept for ${inDays(retentionSeconds)}`}
      {encrypted && (
        <span className="ml-3 inline-flex items-center gap-1 text-ink">
          <Lock className="size-4" /> encrypted
        </span>
      )}
    </p>
  </>
);

function inDays(seconds: number): string {
  const days = seconds / 86_400;
  return days >= 1 ? plural(Math.round(days * 10) / 10, "day") : plural(seconds, "second");
}

const Unknown = ({ mayCreate }: { readonly mayCreate: boolean }) => (
  <EmptyState title="No such namespace.">
    {mayCreate
      ? "A namespace exists once it has a memory or settings. You can open its gates before."
      : "It has no memories yet, or its gate is closed to you."}
  </EmptyState>
);

const PAGE_SIZE = 10;

/** The newest memories of a namespace, and the way to all of them. */
function NamespaceMemories({ namespace }: { readonly namespace: string }) {
  const pages = useCursorPages({
    queryKey: [...queryKeys.memories, "of-namespace", namespace],
    fetchPage: (page, signal) => client.listMemories({ ...page, namespace }, { signal }),
    pageSize: PAGE_SIZE,
  });
  return (
    <Section
      title="Its memories"
      actions={
        <Link href={`${pagePath("memories")}?${new URLSearchParams({ namespace })}`} className="text-sm">
          Search them
        </Link>
      }
    >
      {pages.isPending && <Skeleton what="the memories" className="h-72" />}
      {pages.isEmpty && <p className="text-soft text-sm">It has no memories.</p>}
      <MemoryCards memories={pages.items} />
      <ListEnd pages={pages} more="Show older memories" />
    </Section>
  );
}
