import type { ReactNode } from "react";
import { classNames } from "#web/lib/class-names.ts";

/** For numbers, ids and digests. */
export function Monospace({ children, className }: { readonly children: ReactNode; readonly className?: string }) {
  return <span className={classNames("font-mono text-[0.86em]", className)}>{children}</span>;
}

/** A number in a sentence. */
export const Count = ({ value }: { readonly value: number }) => (
  <Monospace className="text-ink">{value.toLocaleString("en")}</Monospace>
);
