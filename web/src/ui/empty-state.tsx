import type { ReactNode } from "react";
import { Gate } from "./gate-icon.tsx";

interface EmptyProps {
  readonly title: string;
  /** What would be here, and how it gets here. */
  readonly children?: ReactNode;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div className="flex flex-col items-center gap-2 rounded-lg border border-line border-dashed px-6 py-10 text-center">
      <Gate open className="size-10 opacity-60" />
      <p className="font-serif text-lg">{title}</p>
      {children !== undefined && <div className="measure text-soft text-sm">{children}</div>}
    </div>
  );
}
