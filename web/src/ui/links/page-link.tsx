// The link that AgentLink, NamespaceLink and MemoryLink share: plain text for whoever may not open the page.
import type { ReactNode } from "react";
import { Link } from "wouter";
import { classNames } from "#web/lib/class-names.ts";

interface PageLinkProps {
  /** Undefined: the caller may not open the page. */
  readonly href: string | undefined;
  readonly className?: string | undefined;
  /** Of a link in a grid, whose arrow keys move between its cells. */
  readonly tabIndex?: number | undefined;
  /** For the page that the link leads to. */
  readonly state?: unknown;
  readonly children: ReactNode;
}

export function PageLink({ href, className, tabIndex, state, children }: PageLinkProps) {
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
