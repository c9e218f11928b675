// Text from outside: agents, namespaces, memories, answers. It may be hostile: its direction stays its own, and it
// never pushes the page aside.
import { type ReactNode, useState } from "react";
import { classes } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";

/** The name of an agent or a namespace. */
export function Name({ children, className }: { readonly children: string; readonly className?: string }) {
  return (
    <bdi dir="auto" className={classes("outside", className)}>
      {children}
    </bdi>
  );
}

const SHORT = 280;

/** A text of any length: its beginning, and the rest when asked for. */
export function LongText({ children, className }: { readonly children: string; readonly className?: string }) {
  return (
    <Clamped length={children.length} short={SHORT} clamp="line-clamp-4" className={className}>
      {children}
    </Clamped>
  );
}

interface ClampedProps {
  /** How many characters `children` show, and how many may without being clamped. */
  readonly length: number;
  readonly short: number;
  /** Tailwind's class for the number of lines. */
  readonly clamp: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Clamped({ length, short, clamp, className, children }: ClampedProps) {
  const [whole, setWhole] = useState(false);
  const long = length > short;
  return (
    <>
      <p dir="auto" className={classes("outside whitespace-pre-line", long && !whole && clamp, className)}>
        {children}
      </p>
      {long && (
        <Button look="plain" className="-ml-1.5" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? "Show less" : `Show all ${length.toLocaleString("en")} characters`}
        </Button>
      )}
    </>
  );
}
