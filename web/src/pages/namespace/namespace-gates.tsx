// The gates of one namespace: a switch for each agent, open ones first.
import { ChevronRight } from "lucide-react";
import { useState } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { GateSwitch } from "#web/policy/gate-switch.tsx";
import { useAccess } from "#web/policy/use-access.ts";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";

const SHOWN_AT_FIRST = 24;

export function NamespaceGates({ namespace }: { readonly namespace: string }) {
  const access = useAccess();
  const agents = useAgentsAndNamespaces()?.agents;
  const { governs } = usePermissions();
  const [order, setOrder] = useState<readonly string[]>();
  const [showsAll, setShowsAll] = useState(false);
  if (access.error !== null && access.version === undefined) {
    return <ProblemNote error={access.error} onRetry={access.retry} />;
  }
  if (agents === undefined) return <Skeleton what="the gates" className="h-40" />;
  if (agents.length === 0) return <p className="text-soft text-sm">No agent is known here yet.</p>;
  // The order is fixed when the page is opened: a gate must not move away under the pointer.
  const sorted = order ?? openFirst(agents, (agentId) => access.leaf(agentId, namespace).open);
  if (order === undefined) setOrder(sorted);
  const shown = [...sorted, ...agents.filter((agentId) => !sorted.includes(agentId))];
  return (
    <>
      <ul className="grid gap-x-8 sm:grid-cols-2 lg:grid-cols-3">
        {(showsAll ? shown : shown.slice(0, SHOWN_AT_FIRST)).map((agentId) => {
          const { open, note } = access.leaf(agentId, namespace);
          return (
            <li key={agentId} className="flex min-w-0 items-center gap-2 border-line border-b">
              <GateSwitch
                open={open}
                note={note}
                layout="row"
                name={`${namespace} for ${agentId}`}
                onChange={governs(namespace) ? (allowed) => access.set({ agentId, namespace, allowed }) : undefined}
              >
                <Name>{agentId}</Name>
              </GateSwitch>
              <AgentPageLink agentId={agentId} />
            </li>
          );
        })}
      </ul>
      {shown.length > SHOWN_AT_FIRST && (
        <Button look="plain" className="mt-2 -ml-1.5" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${shown.length.toLocaleString("en")} agents`}
        </Button>
      )}
      {access.error !== null && (
        <div className="mt-4">
          <ProblemNote error={access.error} onRetry={access.retry} />
        </div>
      )}
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
      <ChevronRight className="size-4" aria-hidden="true" />
    </Link>
  );
}

const openFirst = (agents: readonly string[], isOpen: (agentId: string) => boolean): readonly string[] => [
  ...agents.filter(isOpen),
  ...agents.filter((agentId) => !isOpen(agentId)),
];
