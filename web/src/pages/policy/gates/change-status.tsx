import { effectOf } from "#web/policy/agent-gates.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import type { Cell } from "./gate-grid.tsx";

interface ChangeStatusProps {
  readonly access: Access;
  /** The gate of the last change. */
  readonly cell: Cell | undefined;
  /** The note with the button goes away when it is tried again. */
  readonly onRetry: (cell: Cell) => void;
}

/** The status of the last change: pending, final with its version, or failed. */
export function ChangeStatus({ access, cell, onRetry }: ChangeStatusProps) {
  function retry(): void {
    access.retry();
    if (access.failed !== undefined) onRetry(access.failed);
  }
  return (
    <>
      <div role="status" className="my-4 min-h-6 text-sm">
        {cell !== undefined && <Sentence access={access} cell={cell} />}
      </div>
      {access.error !== null && (
        <div className="mb-4">
          <ProblemNote error={access.error} onRetry={retry} />
        </div>
      )}
    </>
  );
}

function Sentence({ access, cell: { agentId, namespace } }: { readonly access: Access; readonly cell: Cell }) {
  const { open, state, version } = access.leaf(agentId, namespace);
  const gate = <NamespaceLink name={namespace} className="font-medium" />;
  const agent = <AgentLink agentId={agentId} className="font-medium" />;
  if (state === "pending") {
    return (
      <p className="text-soft">
        {open ? "Opening" : "Closing"} {gate} to {agent} …
      </p>
    );
  }
  if (state === "failed") {
    return (
      <p>
        <StatusMark status="fail">Not changed:</StatusMark> {gate} is still {open ? "open" : "closed"} to {agent}.
      </p>
    );
  }
  if (state !== "final") return null;
  return (
    <p>
      {gate} is {open ? "open" : "closed"} to {agent},{" "}
      <strong className="font-medium">
        in force since version <Monospace>{version}</Monospace>
      </strong>
      . {effectOf(open)}
    </p>
  );
}
