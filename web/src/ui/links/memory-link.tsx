import type { ReactNode } from "react";
import { pagePath } from "#contract/page-paths.ts";
import { usePermissions } from "#web/session/use-permissions.ts";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { PageLink } from "./page-link.tsx";

interface MemoryLinkProps {
  readonly memoryId: string;
  /** The words of the link; the id, shortened, when left out. */
  readonly children?: ReactNode;
  readonly className?: string;
  /** False when the service would not show the caller this memory. */
  readonly isReadable?: boolean;
  /** It was forgotten: its page then asks for the tombstone at once. */
  readonly isForgotten?: boolean;
}

/** What the page of a memory is told by a link to it. */
export interface MemoryLinkState {
  readonly isForgotten: boolean;
}

/** A link to the page of a memory, for whoever may open it. */
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
