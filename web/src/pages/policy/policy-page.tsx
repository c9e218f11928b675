// /policy: who may use what, every gate of it, and how it came to be so.
import { useMemo, useRef, useState } from "react";
import { policyFrom } from "#core/gate/policy.ts";
import { usePolicy } from "#web/api/client.ts";
import { useSearchParams } from "#web/lib/use-search-params.ts";
import { useAccess } from "#web/policy/use-access.ts";
import { useKnown } from "#web/policy/use-agents-and-namespaces.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { ChangeLog } from "./change-log/change-log.tsx";
import { GateByName } from "./gates/add-gate-form.tsx";
import { Outcome } from "./gates/change-status.tsx";
import type { Cell } from "./gates/gate-grid.tsx";
import { Legend } from "./gates/gate-legend.tsx";
import { Matrix } from "./gates/gate-matrix.tsx";
import { revokedIn } from "./gates/gate-state.ts";
import { ResetDemo } from "./reset-demo.tsx";
import { ViewAs } from "./view-as.tsx";

export default function PolicyPage() {
  const access = useAccess();
  const policy = usePolicy().data?.policy ?? NO_POLICY;
  const known = useKnown();
  const [search, setSearch] = useSearchParams();
  const [worked, setWorked] = useState<Cell>();
  const viewed = useRef<HTMLDivElement>(null);
  const isRevoked = useMemo(() => revokedIn(policy), [policy]);

  function set(cell: Cell, allowed: boolean): void {
    setWorked(cell);
    access.set({ ...cell, allowed });
  }

  function viewAs(agentId: string): void {
    setSearch(agentId === "" ? {} : { viewAs: agentId });
  }

  return (
    <>
      <PageHeader
        title="Policy"
        lede="Which agent may use which namespace. Everything is closed until somebody opens it, and a revoke is final once it is acknowledged: nothing behind that gate is used any more."
        actions={<ResetDemo />}
      />
      <Section title="The gates" lede={<Version version={access.version} />} className="">
        <Legend />
        {known === undefined ? (
          <Waiting error={access.error} retry={access.retry} />
        ) : (
          <>
            <Outcome access={access} cell={worked} />
            <Matrix
              policy={policy}
              {...known}
              access={access}
              onFlip={set}
              onViewAs={(agentId) => {
                viewAs(agentId);
                viewed.current?.scrollIntoView({ block: "start" });
                viewed.current?.focus({ preventScroll: true });
              }}
            />
          </>
        )}
      </Section>
      <Section
        title="A new gate"
        lede="For an agent or a namespace that is not above yet. Names are exact: capitals count."
      >
        <GateByName agents={known?.agents ?? []} namespaces={known?.namespaces ?? []} onSet={set} />
      </Section>
      <div ref={viewed} tabIndex={-1} className="scroll-mt-4">
        <Section title="As an agent sees it" lede="What it would be allowed to use if it asked now.">
          <ViewAs
            agentId={search.get("viewAs") ?? ""}
            agents={known?.agents ?? []}
            namespaces={known?.namespaces ?? []}
            access={access}
            isRevoked={isRevoked}
            onChoose={viewAs}
          />
        </Section>
      </div>
      <Section title="Change log" lede="Every change of the policy is a version. Versions only ever grow.">
        <ChangeLog />
      </Section>
    </>
  );
}

const NO_POLICY = policyFrom([]);

const Version = ({ version }: { readonly version: number | undefined }) => (
  <>
    Version <Mono className="text-ink">{version ?? "…"}</Mono>.
    <span className="hidden pointer-fine:inline"> Arrow keys move between gates, Space flips one.</span>
  </>
);

function Waiting({ error, retry }: { readonly error: Error | null; readonly retry: () => void }) {
  if (error !== null) return <ProblemNote error={error} onRetry={retry} />;
  return (
    <>
      <Loading what="the policy" />
      <Skeleton className="mt-4 h-96" />
    </>
  );
}
