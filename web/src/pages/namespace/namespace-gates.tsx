// The gates of one namespace: a switch for each agent, open ones first.

import { useMemo } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { GateSwitch } from "#web/policy/gate-switch.tsx";
import { type Access, useAccess } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { byImportance, useKeptOrder } from "#web/policy/use-kept-order.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { ChevronRight } from "#web/ui/icons.tsx";
import { useFirst } from "#web/ui/list.tsx";
import { Skeleton } from "#web/ui/page.tsx";
import { ProblemNote } from "#web/ui/status.tsx";
import { Name } from "#web/ui/text.tsx";

const SHOWN_AT_FIRST = 24;

export function NamespaceGates({ namespace }: { readonly namespace: string }) {
  const access = useAccess();
  const agents = useAgentsAndNamespaces()?.agents;
  const problem = access.error !== null && (
    <ProblemNote error={access.error} onRetry={access.retry} className="not-first:mt-4" />
  );
  if (problem && access.version === undefined) return problem;
  if (agents === undefined) return <Skeleton what="the gates" className="h-40" />;
  if (agents.length === 0) return <p className="text-soft text-sm">No agent is known here yet.</p>;
  return (
    <>
      <Switches {...{ access, namespace, agents }} />
      {problem}
    </>
  );
}

interface SwitchesProps {
  readonly access: Access;
  readonly namespace: string;
  readonly agents: readonly string[];
}

function Switches({ access, namespace, agents }: SwitchesProps) {
  const { governs } = usePermissions();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a gate must not move away under the pointer.
  const sorted = useMemo(() => byImportance(agents, (agentId) => access.gate(agentId, namespace).open), [agents]);
  const [shown, showAll] = useFirst(useKeptOrder(sorted).names, SHOWN_AT_FIRST, `Show all ${agents.length} agents`);
  return (
    <>
      <ul className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {shown.map((agentId) => (
          <li key={agentId} className="flex min-w-0 items-center gap-2 border-line border-b">
            <GateSwitch
              {...access.gate(agentId, namespace)}
              layout="row"
              name={`${namespace} for ${agentId}`}
              onChange={governs(namespace) ? (allowed) => access.set({ agentId, namespace, allowed }) : undefined}
            >
              <Name>{agentId}</Name>
            </GateSwitch>
            <AgentPageLink agentId={agentId} />
          </li>
        ))}
      </ul>
      {showAll}
    </>
  );
}

/** Beside the switch, which has the name already. */
function AgentPageLink({ agentId }: { readonly agentId: string }) {
  const { mayOpen, agentId: own } = usePermissions();
  if (!mayOpen("agent") || (own !== undefined && own !== agentId)) return null;
  return (
    <Link
      href={pagePath("agent", { agentId })}
      aria-label={`Page of ${agentId}`}
      className="grid size-11 flex-none place-items-center rounded-md text-soft hover:bg-well hover:text-ink"
    >
      <ChevronRight className="size-4" />
    </Link>
  );
}
