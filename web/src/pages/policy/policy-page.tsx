// /policy: every gate, a form to add one, the view of an agent, and the change log.
import { useCallback, useMemo, useRef, useState } from "react";
import { policyFrom } from "#core/gate/policy.ts";
import { usePolicy, useServiceInfo } from "#web/api/queries.ts";
import { useSearchParams } from "#web/lib/use-search-params.ts";
import { useAccess } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { ChangeLog } from "./change-log/change-log.tsx";
import { AddGateForm } from "./gates/add-gate-form.tsx";
import { ChangeStatus } from "./gates/change-status.tsx";
import type { Cell, GridHandle } from "./gates/gate-grid.tsx";
import { GateMatrix } from "./gates/gate-matrix.tsx";
import { revokedIn } from "./gates/gate-state.ts";
import { GateLegend } from "./gates/gate-state-icon.tsx";
import { ResetDemo } from "./reset-demo.tsx";
import { ViewAs } from "./view-as.tsx";

export default function PolicyPage() {
  const access = useAccess();
  const policy = usePolicy().data?.policy ?? NO_POLICY;
  const names = useAgentsAndNamespaces();
  const { may, governed, agentId: own } = usePermissions();
  const { data: info, isPending } = useServiceInfo();
  const reset = isPending ? <Skeleton className="h-11 w-40" /> : info?.allowsReset === true && <ResetDemo />;
  // An agent reads its own memories on their page.
  const mayViewAs = own === undefined && may("listMemories");
  const [search, setSearch] = useSearchParams();
  const [changed, setChanged] = useState<Cell>();
  const viewSection = useRef<HTMLDivElement>(null);
  const isRevoked = useMemo(() => revokedIn(policy), [policy]);

  const grid = useRef<GridHandle>(null);
  const { set: setAccess } = access;
  const set = useCallback(
    (agentId: string, namespace: string, allowed: boolean) => {
      setChanged({ agentId, namespace });
      setAccess({ agentId, namespace, allowed });
    },
    [setAccess],
  );

  const viewAs = useCallback((agentId: string) => setSearch(agentId === "" ? {} : { viewAs: agentId }), [setSearch]);
  const openView = useCallback(
    (agentId: string) => {
      viewAs(agentId);
      viewSection.current?.scrollIntoView({ block: "start" });
      viewSection.current?.focus({ preventScroll: true });
    },
    [viewAs],
  );

  return (
    <>
      <PageHeader
        title="Policy"
        lede="Which agent may use which namespace. Every gate is closed until somebody opens it. A revoke is in force as soon as the service acknowledges it."
        actions={may("resetDemo") && reset}
      />
      <Section
        title="The gates"
        lede={<PolicyVersion version={access.version} isChangeable={may("setAccess")} />}
        className=""
      >
        <GateLegend />
        {names === undefined ? (
          <PolicyPending error={access.error} retry={access.retry} />
        ) : (
          <>
            <ChangeStatus access={access} cell={changed} onRetry={(cell) => grid.current?.focusGate(cell)} />
            <GateMatrix
              policy={policy}
              {...names}
              access={access}
              handle={grid}
              onChange={set}
              onViewAs={mayViewAs ? openView : undefined}
            />
          </>
        )}
      </Section>
      {may("setAccess") && (
        <Section
          title="Add a gate"
          lede="For an agent or a namespace that is not in the table yet. Names are case-sensitive."
        >
          <AddGateForm
            agents={names?.agents ?? NO_NAMES}
            namespaces={names?.namespaces ?? NO_NAMES}
            governed={governed}
            onSet={({ agentId, namespace }, allowed) => set(agentId, namespace, allowed)}
          />
        </Section>
      )}
      {mayViewAs && (
        <div ref={viewSection} tabIndex={-1} className="scroll-mt-4">
          <Section title="View as an agent" lede="The memories that an agent may use now.">
            <ViewAs
              agentId={search.get("viewAs") ?? ""}
              agents={names?.agents ?? NO_NAMES}
              namespaces={names?.namespaces ?? NO_NAMES}
              access={access}
              isRevoked={isRevoked}
              onChoose={viewAs}
            />
          </Section>
        </div>
      )}
      {may("listPolicyChanges") && (
        <Section title="Change log" lede="Every change of the policy makes a new version.">
          <ChangeLog />
        </Section>
      )}
    </>
  );
}

const NO_POLICY = policyFrom([]);
const NO_NAMES: readonly string[] = [];

interface PolicyVersionProps {
  readonly version: number | undefined;
  readonly isChangeable: boolean;
}

const PolicyVersion = ({ version, isChangeable }: PolicyVersionProps) => (
  <>
    Version <Monospace className="text-ink">{version ?? "…"}</Monospace>.
    {isChangeable && (
      <span className="hidden pointer-fine:inline"> Arrow keys move between gates, Space opens or closes one.</span>
    )}
  </>
);

function PolicyPending({ error, retry }: { readonly error: Error | null; readonly retry: () => void }) {
  if (error !== null) return <ProblemNote error={error} onRetry={retry} />;
  return <Skeleton what="the policy" className="mt-4 h-96" />;
}
