// Text that users or models wrote: names, memories, answers. It may be hostile, so its writing direction is isolated
// and it breaks anywhere rather than widen the page.
import { type ReactNode, useState } from "react";
import { classNames } from "#web/lib/class-names.ts";
import { Button } from "#web/ui/form/button.tsx";

/** The name of an agent or a namespace. */
export function Name({ children, className }: { readonly children: string; readonly className?: string }) {
  return (
    <bdi dir="auto" className={classNames("untrusted", className)}>
      {children}
    </bdi>
  );
}

const MAX_LENGTH = 280;

/** A text of any length; a long one is clamped to four lines. */
export function LongText({ children, className }: { readonly children: string; readonly className?: string }) {
  return (
    <ClampedText length={children.length} maxLength={MAX_LENGTH} clamp="line-clamp-4" className={className}>
      {children}
    </ClampedText>
  );
}

interface ClampedTextProps {
  /** The number of characters that `children` show. */
  readonly length: number;
  /** A text with more characters than this is clamped. */
  readonly maxLength: number;
  /** Tailwind's class for the number of lines. */
  readonly clamp: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function ClampedText({ length, maxLength, clamp, className, children }: ClampedTextProps) {
  const [showsAll, setShowsAll] = useState(false);
  const isLong = length > maxLength;
  return (
    <>
      <p dir="auto" className={classNames("untrusted whitespace-pre-line", isLong && !showsAll && clamp, className)}>
        {children}
      </p>
      {isLong && (
        <Button look="plain" className="-ml-1.5" aria-expanded={showsAll} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? "Show less" : `Show all ${length.toLocaleString("en")} characters`}
        </Button>
      )}
    </>
  );
}
