import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface CollapsiblePanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Open at first on a wide screen, where it stands beside the list; closed on a narrow one, where it stands above. */
export function CollapsiblePanel({ title, children }: CollapsiblePanelProps) {
  const [open, setOpen] = useState(() => matchMedia("(min-width: 64rem)").matches);
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="border-line border-t last:border-b lg:last:border-b-0"
    >
      <summary className="flex min-h-12 list-none items-center justify-between gap-4 [&::-webkit-details-marker]:hidden">
        <h2 className="font-medium font-serif text-xl">{title}</h2>
        <ChevronRight className="size-5 flex-none text-soft [details[open]>summary>&]:rotate-90" aria-hidden="true" />
      </summary>
      <div className="pt-2 pb-6">{children}</div>
    </details>
  );
}
