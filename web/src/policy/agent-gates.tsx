// The gates of one agent, a switch for each namespace that the caller governs, and the outcome of the last change.
import { useState } from "react";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Skeleton } from "#web/ui/skeleton.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { GateSwitch } from "./gate-switch.tsx";
import { type Access, useAccess } from "./use-access.ts";
import { useAgentsAndNamespaces } from "./use-agents-and-namespaces.ts";

const SHOWN_AT_FIRST = 18;

interface AgentGatesProps {
  readonly agentId: string;
  readonly layout: "stack" | "row";
}

export function AgentGates({ agentId, layout }: AgentGatesProps) {
  const access = useAccess();
  const namespaces = useAgentsAndNamespaces()?.namespaces;
  const [showsAll, setShowsAll] = useState(false);
  const [changed, setChanged] = useState<string>();
  const { may, governs } = usePermissions();

  if (access.error !== null && access.version === undefined) {
    return <ProblemNote error={access.error} onRetry={access.retry} />;
  }
  if (namespaces === undefined) return <Skeleton what="the gates" className="h-40" />;
  if (namespaces.length === 0) {
    return (
      <EmptyState title="No namespaces yet.">
        {may("setAccess")
          ? "A namespace exists while a memory is in it. Capture a memory to create one."
          : "No gate was opened yet. Ask an admin."}
      </EmptyState>
    );
  }
  return (
    <div>
      <ul className={layout === "stack" ? STACKED : "grid grid-cols-2 lg:grid-cols-1"}>
        {(showsAll ? namespaces : namespaces.slice(0, SHOWN_AT_FIRST)).map((namespace) => {
          const { open, note } = access.leaf(agentId, namespace);
          return (
            <li key={namespace} className="min-w-0">
              <GateSwitch
                open={open}
                note={note}
                layout={layout}
                name={`${namespace} for ${agentId}`}
                onChange={
                  governs(namespace)
                    ? (allowed) => {
                        setChanged(namespace);
                        access.set({ agentId, namespace, allowed });
                      }
                    : undefined
                }
              >
                <Name>{namespace}</Name>
              </GateSwitch>
            </li>
          );
        })}
      </ul>
      {namespaces.length > SHOWN_AT_FIRST && (
        <Button look="plain" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show fewer" : `Show all ${namespaces.length} namespaces`}
        </Button>
      )}
      <p role="status" className="mt-2 min-h-10 text-soft text-xs">
        {changed === undefined ? (
          hint(may("setAccess"))
        ) : (
          <FinalChange access={access} agentId={agentId} namespace={changed} />
        )}
      </p>
      {access.error !== null && <ProblemNote error={access.error} onRetry={access.retry} />}
    </div>
  );
}

const hint = (mayChange: boolean): string =>
  mayChange ? "Open or close a gate, then ask again." : "An admin opens and closes these gates.";

const STACKED = "grid grid-cols-[repeat(auto-fit,minmax(6.25rem,1fr))] gap-y-2";

interface FinalChangeProps {
  readonly access: Access;
  readonly agentId: string;
  readonly namespace: string;
}

function FinalChange({ access, agentId, namespace }: FinalChangeProps) {
  const { open, state, version } = access.leaf(agentId, namespace);
  if (state !== "final") return null;
  return (
    <>
      <Name className="font-medium text-ink">{namespace}</Name> is {open ? "open" : "closed"} to{" "}
      <Name className="font-medium text-ink">{agentId}</Name>: final since policy version{" "}
      <span className="font-mono">{version ?? access.version}</span>. {effectOf(open)}
    </>
  );
}

/** What a final change means for answers. */
export const effectOf = (open: boolean): string =>
  open ? "The next answer may use it." : "No answer that uses it is released any more.";
