import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface MemoryMarkProps {
  readonly icon: LucideIcon;
  /** What it means, in a sentence. */
  readonly title: string;
  readonly children: ReactNode;
}

/** A word about a memory, beside its namespace: pinned, sealed, a key. */
export const MemoryMark = ({ icon: Icon, title, children }: MemoryMarkProps) => (
  <span
    className="inline-flex max-w-full items-center gap-1 self-center rounded-sm bg-well px-1.5 font-medium text-ink"
    title={title}
  >
    <Icon aria-hidden="true" className="size-3 flex-none" /> {children}
  </span>
);
