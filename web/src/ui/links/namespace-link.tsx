import { pagePath } from "#contract/page-paths.ts";
import { isAllowed } from "#core/gate/policy.ts";
import { usePolicy } from "#web/api/queries.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { isPathStep, PageLink } from "./page-link.tsx";

interface NamespaceLinkProps {
  readonly name: string;
  readonly className?: string;
}

/** The name of a namespace, with a link to its page for whoever may open it. */
export function NamespaceLink({ name, className }: NamespaceLinkProps) {
  const isReadable = useReadsNamespace();
  return (
    <PageLink href={isReadable(name) ? pagePath("namespace", { name }) : undefined} className={className}>
      <Name>{name}</Name>
    </PageLink>
  );
}

/** Whether the service would show the caller this namespace: an agent what it may use, an admin what it governs. */
export function useReadsNamespace(): (name: string) => boolean {
  const { mayOpen, agentId, governed } = usePermissions();
  const policy = usePolicy({ enabled: agentId !== undefined }).data?.policy;
  return (name) => {
    if (!mayOpen("namespace") || isPathStep(name)) return false;
    if (agentId !== undefined) return policy !== undefined && isAllowed(policy, agentId, name);
    return governed === undefined || governed.includes(name);
  };
}
