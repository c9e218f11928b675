import type { Access } from "#web/policy/use-access.ts";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Mark } from "#web/ui/status-mark.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import type { Cell } from "./gate-grid.tsx";

interface OutcomeProps {
  readonly access: Access;
  /** The gate that was last worked. */
  readonly cell: Cell | undefined;
}

/** What became of the last change: on its way, final as of a version, or not made. */
export function Outcome({ access, cell }: OutcomeProps) {
  const leaf = cell && access.leaf(cell.agentId, cell.namespace);
  // It went back, so what was wanted is the opposite of what it is.
  const again = () =>
    cell !== undefined && leaf?.state === "failed" ? access.set({ ...cell, allowed: !leaf.open }) : access.retry();
  return (
    <>
      <div role="status" className="my-4 min-h-6 text-sm">
        {cell !== undefined && <Said access={access} cell={cell} />}
      </div>
      {access.error !== null && (
        <div className="mb-4">
          <ProblemNote error={access.error} onRetry={again} />
        </div>
      )}
    </>
  );
}

function Said({ access, cell: { agentId, namespace } }: { readonly access: Access; readonly cell: Cell }) {
  const { open, state, version } = access.leaf(agentId, namespace);
  const [what, whom] = [
    <Name key="what" className="font-medium">
      {namespace}
    </Name>,
    <Name key="whom" className="font-medium">
      {agentId}
    </Name>,
  ];
  if (state === "pending") {
    return (
      <p className="text-soft">
        {open ? "Opening" : "Closing"} {what} to {whom} …
      </p>
    );
  }
  if (state === "failed") {
    return (
      <p>
        <Mark status="fail">Not changed:</Mark> {what} is still {open ? "open" : "closed"} to {whom}.
      </p>
    );
  }
  if (state !== "final") return null;
  return (
    <p>
      {what} is {open ? "open" : "closed"} to {whom}:{" "}
      <strong className="font-medium">
        final, version <Mono>{version}</Mono>
      </strong>
      . {open ? "The next answer may use it." : "No answer built on it is released any more."}
    </p>
  );
}
