import { effectOf } from "#web/policy/agent-gates.tsx";
import type { Access } from "#web/policy/use-access.ts";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { Cell } from "./gate-grid.tsx";

interface ChangeStatusProps {
  readonly access: Access;
  /** The gate of the last change. */
  readonly cell: Cell | undefined;
}

/** The status of the last change: pending, final with its version, or failed. */
export function ChangeStatus({ access, cell }: ChangeStatusProps) {
  const leaf = cell && access.leaf(cell.agentId, cell.namespace);
  // A failed change leaves the gate as it was, so the wanted state is the opposite.
  const retry = () =>
    cell !== undefined && leaf?.state === "failed" ? access.set({ ...cell, allowed: !leaf.open }) : access.retry();
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
  const gate = <Name className="font-medium">{namespace}</Name>;
  const agent = <Name className="font-medium">{agentId}</Name>;
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
      {gate} is {open ? "open" : "closed"} to {agent}:{" "}
      <strong className="font-medium">
        final, version <Monospace>{version}</Monospace>
      </strong>
      . {effectOf(open)}
    </p>
  );
}
