// An agent's namespaces as a row of gates, each a switch. What a flip has brought about is said below.
import { useState } from "react";
import { Empty } from "#web/ui/empty-state.tsx";
import { Button } from "#web/ui/form/button.tsx";
import { ProblemNote } from "#web/ui/problem-note.tsx";
import { Loading, Skeleton } from "#web/ui/skeleton.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { GateSwitch } from "./gate-switch.tsx";
import { type Access, useAccess } from "./use-access.ts";
import { useKnown } from "./use-agents-and-namespaces.ts";

const SHOWN = 18;

interface GateStripProps {
  readonly agentId: string;
  readonly layout: "stack" | "row";
}

export function GateStrip({ agentId, layout }: GateStripProps) {
  const access = useAccess();
  const known = useKnown();
  const [all, setAll] = useState(false);
  const [flipped, setFlipped] = useState<string>();

  if (access.error !== null && access.version === undefined) {
    return <ProblemNote error={access.error} onRetry={access.retry} />;
  }
  if (known === undefined) {
    return (
      <>
        <Loading what="the gates" />
        <Skeleton className={layout === "stack" ? "h-40" : "h-40"} />
      </>
    );
  }
  if (known.namespaces.length === 0) {
    return <Empty title="No namespaces yet.">A namespace exists while a memory is in it. Capture one.</Empty>;
  }
  const shown = all ? known.namespaces : known.namespaces.slice(0, SHOWN);
  return (
    <div>
      <ul className={layout === "stack" ? STACKED : "grid grid-cols-2 lg:grid-cols-1"}>
        {shown.map((namespace) => {
          const { open, note } = access.leaf(agentId, namespace);
          return (
            <li key={namespace} className="min-w-0">
              <GateSwitch
                open={open}
                note={note}
                layout={layout}
                name={`${namespace} for ${agentId}`}
                onChange={(allowed) => {
                  setFlipped(namespace);
                  access.set({ agentId, namespace, allowed });
                }}
              >
                <Name>{namespace}</Name>
              </GateSwitch>
            </li>
          );
        })}
      </ul>
      {known.namespaces.length > SHOWN && (
        <Button look="plain" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? "Show fewer" : `Show all ${known.namespaces.length} namespaces`}
        </Button>
      )}
      <p role="status" className="mt-2 min-h-10 text-soft text-xs">
        {flipped === undefined ? (
          "Flip a gate, then ask again."
        ) : (
          <Outcome access={access} agentId={agentId} namespace={flipped} />
        )}
      </p>
      {access.error !== null && <ProblemNote error={access.error} onRetry={access.retry} />}
    </div>
  );
}

const STACKED = "grid grid-cols-[repeat(auto-fit,minmax(6.25rem,1fr))] gap-y-2";

interface OutcomeProps {
  readonly access: Access;
  readonly agentId: string;
  readonly namespace: string;
}

function Outcome({ access, agentId, namespace }: OutcomeProps) {
  const { open, state, version } = access.leaf(agentId, namespace);
  if (state !== "final") return null;
  return (
    <>
      <Name className="font-medium text-ink">{namespace}</Name> is {open ? "open" : "closed"} to{" "}
      <Name className="font-medium text-ink">{agentId}</Name>: final since policy version{" "}
      <span className="font-mono">{version ?? access.version}</span>.{" "}
      {open ? "The next answer may use it." : "No answer built on it is released any more."}
    </>
  );
}
