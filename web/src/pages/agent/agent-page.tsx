// /agents/:agentId: what an agent may use, what its answers used, its receipts, and the history of its gates.
import { usePathParameter } from "#web/lib/use-path-parameter.ts";
import { ChangeLog } from "#web/pages/policy/change-log/change-log.tsx";
import { AgentGates } from "#web/policy/agent-gates.tsx";
import { useAgentsAndNamespaces } from "#web/policy/use-agents-and-namespaces.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { EmptyState } from "#web/ui/empty-state.tsx";
import { PageHeader, Section } from "#web/ui/page-header.tsx";
import { AgentReceipts } from "./agent-receipts.tsx";

export default function AgentPage() {
  const agentId = usePathParameter();
  return <AgentDetails key={agentId} agentId={agentId} />;
}

function AgentDetails({ agentId }: { readonly agentId: string }) {
  const { may, agentId: own } = usePermissions();
  const agents = useAgentsAndNamespaces()?.agents;
  if (own !== undefined && own !== agentId) {
    return (
      <>
        <PageHeader title={agentId} kind="Agent" />
        <EmptyState title="This page is not for you.">An agent sees what concerns itself.</EmptyState>
      </>
    );
  }
  const isUnknown = agents?.includes(agentId) === false;
  return (
    <>
      <PageHeader
        title={agentId}
        kind="Agent"
        lede={
          isUnknown
            ? "No agent of this name is known here. Every gate is closed to it until somebody opens one."
            : "What this agent may use, what its answers used, and who opened or closed its gates."
        }
      />
      <Section title="What it may use" className="">
        <AgentGates agentId={agentId} layout="stack" />
      </Section>
      {may("listReceipts") && <AgentReceipts agentId={agentId} />}
      {may("listPolicyChanges") && (
        <Section title="History of its gates" lede="Every change of the policy that concerns this agent.">
          <ChangeLog filter={{ agentId }} />
        </Section>
      )}
    </>
  );
}
