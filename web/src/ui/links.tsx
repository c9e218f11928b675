// The link that AgentLink, NamespaceLink and MemoryLink share: plain text for whoever may not open the page.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { isAllowed, type Policy } from "#core/gate/policy.ts";
import { usePolicy } from "#web/api/queries.ts";
import { classNames } from "#web/lib/strings.ts";
import { type Permissions, usePermissions } from "#web/session/permissions.ts";
import { LongText, Monospace, Name } from "./text.tsx";

interface LinkProps {
  readonly className?: string | undefined;
  /** Of a link in a grid, whose arrow keys move between its cells. */
  readonly tabIndex?: number | undefined;
}

interface PageLinkProps extends LinkProps {
  /** Undefined: the caller may not open the page. */
  readonly href: string | undefined;
  /** For the page that the link leads to. */
  readonly state?: unknown;
  readonly children: ReactNode;
}

function PageLink({ href, className, tabIndex, state, children }: PageLinkProps) {
  if (href === undefined) return <span className={className}>{children}</span>;
  return (
    <Link
      href={href}
      tabIndex={tabIndex}
      state={state}
      className={classNames("text-inherit decoration-edge hover:decoration-current", className)}
    >
      {children}
    </Link>
  );
}

/** A browser takes these for steps in a path, even when they are encoded: nothing of that name has a page. */
export const isPathStep = (name: string): boolean => name === "." || name === "..";

export function AgentLink({ agentId, ...rest }: LinkProps & { readonly agentId: string }) {
  const { mayOpen, agentId: own } = usePermissions();
  // An agent reads what concerns itself.
  const isReadable = mayOpen("agent") && (own === undefined || own === agentId) && !isPathStep(agentId);
  return (
    <PageLink href={isReadable ? pagePath("agent", { agentId }) : undefined} {...rest}>
      <Name>{agentId}</Name>
    </PageLink>
  );
}

type NamespaceLinkProps = LinkProps & { readonly name: string };

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

interface MemoryLinkProps {
  readonly memoryId: string;
  readonly children?: ReactNode;
  readonly className?: string;
  /** False when the service would not show the caller this memory. */
  readonly isReadable?: boolean;
  /** It was forgotten: its page then asks for the tombstone at once. */
  readonly isForgotten?: boolean;
}

interface MemoryTextProps extends Pick<MemoryLinkProps, "memoryId" | "className" | "isReadable"> {
  readonly text: string;
}

/** The text of a memory, which leads to its page. */
export const MemoryText = ({
  text,
  className = "font-serif text-[1.0625rem] leading-snug",
  ...rest
}: MemoryTextProps) => (
  <LongText
    className={className}
    marked={
      <MemoryLink {...rest} className="block min-h-6 no-underline hover:underline">
        {text}
      </MemoryLink>
    }
  >
    {text}
  </LongText>
);

/** What the page of a memory is told by a link to it. */
export interface MemoryLinkState {
  readonly isForgotten: boolean;
}

export function MemoryLink({ memoryId, children, className, isReadable = true, isForgotten = false }: MemoryLinkProps) {
  const { mayOpen } = usePermissions();
  const href = mayOpen("memory") && isReadable ? pagePath("memory", { memoryId }) : undefined;
  return (
    <PageLink href={href} className={className} state={{ isForgotten } satisfies MemoryLinkState}>
      {children ?? (
        <span title={memoryId}>
          <Monospace>{memoryId.length > 16 ? `${memoryId.slice(0, 8)}…${memoryId.slice(-4)}` : memoryId}</Monospace>
        </span>
      )}
    </PageLink>
  );
}
