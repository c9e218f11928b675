import { pagePath } from "#contract/page-paths.ts";
import { isAllowed, type Policy } from "#core/gate/policy.ts";
import { usePolicy } from "#web/api/queries.ts";
import type { Permissions } from "#web/session/permissions.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { isPathStep, PageLink } from "./page-link.tsx";

interface NamespaceLinkProps {
  readonly name: string;
  readonly className?: string;
  readonly tabIndex?: number | undefined;
}

/** The name of a namespace, with a link to its page for whoever may open it. */
export function NamespaceLink(props: NamespaceLinkProps) {
  const permissions = usePermissions();
  // A page may have hundreds of links. Only those of an agent depend on the policy, so the others do not follow it.
  if (permissions.agentId !== undefined) return <LinkByPolicy {...props} />;
  return <LinkIf isReadable={isReadableFor(permissions, undefined, props.name)} {...props} />;
}

const LinkByPolicy = (props: NamespaceLinkProps) => <LinkIf isReadable={useReadsNamespace()(props.name)} {...props} />;

const LinkIf = ({ isReadable, name, ...rest }: NamespaceLinkProps & { readonly isReadable: boolean }) => (
  <PageLink href={isReadable ? pagePath("namespace", { name }) : undefined} {...rest}>
    <Name>{name}</Name>
  </PageLink>
);

/** Whether the service would show the caller this namespace: an agent what it may use, an admin what it governs. */
export function useReadsNamespace(): (name: string) => boolean {
  const permissions = usePermissions();
  const policy = usePolicy({ enabled: permissions.agentId !== undefined }).data?.policy;
  return (name) => isReadableFor(permissions, policy, name);
}

function isReadableFor({ mayOpen, agentId, governed }: Permissions, policy: Policy | undefined, name: string): boolean {
  if (!mayOpen("namespace") || isPathStep(name)) return false;
  if (agentId !== undefined) return policy !== undefined && isAllowed(policy, agentId, name);
  return governed === undefined || governed.includes(name);
}
