// The state of a check as a shape and a word. Pending has a shape of its own: nothing was looked at yet.
import type { Check } from "#core/verify/check.ts";
import { STATUS_WORD } from "#core/verify/labels.ts";
import { classes } from "#web/ui/classes.ts";
import { Shape } from "#web/ui/mark.tsx";

export type StatusInProgress = Check["status"] | "pending";

const COLOUR = { pass: "text-pass", fail: "text-fail", unknown: "text-unknown", pending: "text-soft" } as const;

export function StatusShape({ status, className }: { readonly status: StatusInProgress; readonly className: string }) {
  if (status !== "pending") return <Shape status={status} className={className} />;
  return (
    <svg viewBox="0 0 24 24" className={classes("flex-none text-soft", className)} aria-hidden="true">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M7.5 12h.01M12 12h.01M16.5 12h.01" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

export function StatusLine({ status }: { readonly status: StatusInProgress }) {
  return (
    <p className={classes("flex items-center gap-2.5 self-start font-medium text-sm", COLOUR[status])}>
      <StatusShape status={status} className="shape size-5" />
      {status === "pending" ? "Pending" : STATUS_WORD[status]}
    </p>
  );
}
