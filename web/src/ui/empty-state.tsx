import type { ReactNode } from "react";
import { GateIcon } from "./gate-icon.tsx";

interface EmptyStateProps {
  readonly title: string;
  /** What belongs here, and how to add it. */
  readonly children?: ReactNode;
}

export function EmptyState({ title, children }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-6 py-10 text-center">
      <GateIcon open className="size-10 opacity-60" />
      <p className="font-serif text-lg">{title}</p>
      {children !== undefined && <div className="measure text-soft text-sm">{children}</div>}
    </div>
  );
}
