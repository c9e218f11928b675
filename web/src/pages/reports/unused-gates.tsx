import { GateIcon } from "#web/ui/gate-icon.tsx";
import { AgentLink } from "#web/ui/links/agent-link.tsx";
import { NamespaceLink } from "#web/ui/links/namespace-link.tsx";
import { Section } from "#web/ui/page-header.tsx";
import { Count } from "#web/ui/text/monospace.tsx";
import { Definition } from "./definition.tsx";
import type { Report } from "./report-rows.ts";

export function UnusedGates({ gates: { open, neverUsed, gates, isComplete } }: { readonly gates: Report["gates"] }) {
  return (
    <Section title="Open gates that were never used" className="lg:col-span-2">
      <p className="mb-4 font-serif text-lg">
        <Count value={neverUsed} /> of <Count value={open} /> open gates.
      </p>
      {gates.length > 0 && (
        <ul className="grid gap-x-8 gap-y-2 sm:grid-cols-2 lg:grid-cols-3">
          {gates.map(({ agentId, namespace }) => (
            <li key={JSON.stringify([agentId, namespace])} className="flex min-w-0 items-center gap-2 text-sm">
              <GateIcon open className="size-4.5 flex-none" />
              <span className="min-w-0">
                <NamespaceLink name={namespace} /> is open to <AgentLink agentId={agentId} />
              </span>
            </li>
          ))}
        </ul>
      )}
      {neverUsed > gates.length && (
        <p className="mt-3 text-sm text-soft">And {(neverUsed - gates.length).toLocaleString("en")} more.</p>
      )}
      {!isComplete && <p className="mt-3 text-sm text-unknown">There are more gates than one report counts.</p>}
      <Definition>
        Gates that stand open now and through which no answer and no recall was ever given a memory, whatever time is
        chosen above. Close what nobody needs.
      </Definition>
    </Section>
  );
}
