import type { ReactNode } from "react";

/** What a figure counts, under it. */
export const Definition = ({ children }: { readonly children: ReactNode }) => (
  <p className="measure mt-4 text-soft text-xs">{children}</p>
);
