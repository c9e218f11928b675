import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

interface FoldProps {
  readonly summary: ReactNode;
  readonly children: ReactNode;
  readonly onToggle?: (isOpen: boolean) => void;
}

/** Content that is hidden until the reader opens it. */
export function Disclosure({ summary, children, onToggle }: FoldProps) {
  return (
    <details onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}>
      <summary className="-ml-1 inline-flex min-h-7 list-none items-center gap-1 rounded-sm pr-2 text-soft text-sm hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight className="size-4 flex-none [details[open]>summary>&]:rotate-90" aria-hidden="true" />
        {summary}
      </summary>
      <div className="pt-2">{children}</div>
    </details>
  );
}
