import { ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";

interface PanelProps {
  readonly title: string;
  readonly children: ReactNode;
}

/** Open where there is room beside the list; folded where it would push the list away. */
export function Panel({ title, children }: PanelProps) {
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
