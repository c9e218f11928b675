// /namespaces/:name: who may use a namespace, its memories, its settings and seal, and the history of its gates.
import { useQuery } from "@tanstack/react-query";
import { Lock } from "lucide-react";
import { ProblemError } from "#contract/problem.ts";
import { client, queryKeys } from "#web/api/client.ts";
import { plural } from "#web/lib/plural.ts";
import { usePathParameter } from "#web/lib/use-path-parameter.ts";
import { ChangeLog } from "#web/pages/policy/change-log/change-log.tsx";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { useReadsNamespace } from "#web/ui/links/namespace-link.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { NamespaceGates } from "./namespace-gates.tsx";
import { NamespaceMemories } from "./namespace-memories.tsx";
import { NamespaceSettings } from "./namespace-settings.tsx";
import type { NamespaceEntry } from "./settings-draft.ts";

export default function NamespacePage() {
  const name = usePathParameter();
  return <NamespaceDetails key={name} name={name} />;
}

function NamespaceDetails({ name }: { readonly name: string }) {
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
        lede={isPending ? <Skeleton lines={1} /> : isAbsent ? undefined : <About namespace={data.namespace} />}
      />
      {isAbsent && <Unknown mayCreate={governs(name)} />}
      {(!isAbsent || governs(name)) && (
        <Section title="Who may use it" className={isAbsent ? "mt-10" : ""}>
          <NamespaceGates namespace={name} />
        </Section>
      )}
      {!isAbsent && may("listMemories") && isReadable(name) && <NamespaceMemories namespace={name} />}
      {governs(name) && !isPending && (
        <Section
          title="Settings"
          lede="What it is for, how long its memories are kept, and whether they are encrypted."
        >
          <NamespaceSettings name={name} namespace={data?.namespace} />
        </Section>
      )}
      {may("listPolicyChanges") && (
        <Section title="History of its gates" lede="Every change of the policy that concerns this namespace.">
          <ChangeLog filter={{ namespace: name }} />
        </Section>
      )}
    </>
  );
}

/** The service answers 400 for a text that cannot be a name. */
const isUnknown = (error: Error): boolean =>
  error instanceof ProblemError && (error.status === 404 || error.status === 400);

function About({
  namespace: { description, memories, retentionSeconds, sealed },
}: {
  readonly namespace: NamespaceEntry;
}) {
  return (
    <>
      {description !== undefined && (
        <p dir="auto" className="untrusted">
          {description}
        </p>
      )}
      <p className={description === undefined ? "" : "mt-2 text-base"}>
        {plural(memories, "memory", "memories")}
        {retentionSeconds !== undefined && `, kept for ${inDays(retentionSeconds)}`}
        {sealed && (
          <span className="ml-3 inline-flex items-center gap-1 text-ink">
            <Lock className="size-4" aria-hidden="true" /> sealed: its memories are encrypted
          </span>
        )}
      </p>
    </>
  );
}

function inDays(seconds: number): string {
  const days = seconds / 86_400;
  return days >= 1 ? plural(Math.round(days * 10) / 10, "day") : plural(seconds, "second");
}

const Unknown = ({ mayCreate }: { readonly mayCreate: boolean }) => (
  <EmptyState title="There is no namespace of this name for you.">
    {mayCreate
      ? "A namespace exists while a memory is in it, or once it has settings. You can open its gates beforehand."
      : "It has no memories yet, or its gate is closed to you."}
  </EmptyState>
);
