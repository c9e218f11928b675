import { pagePath } from "#contract/page-paths.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { isPathStep, PageLink } from "./page-link.tsx";

interface AgentLinkProps {
  readonly agentId: string;
  readonly className?: string;
  readonly tabIndex?: number | undefined;
}

/** The name of an agent, with a link to its page for whoever may open it. */
export function AgentLink({ agentId, ...rest }: AgentLinkProps) {
  const { mayOpen, agentId: own } = usePermissions();
  // An agent reads what concerns itself.
  const isReadable = mayOpen("agent") && (own === undefined || own === agentId) && !isPathStep(agentId);
  return (
    <PageLink href={isReadable ? pagePath("agent", { agentId }) : undefined} {...rest}>
      <Name>{agentId}</Name>
    </PageLink>
  );
}
