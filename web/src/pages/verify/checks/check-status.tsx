// The status of a check as an icon and a word. A pending check has its own icon: nothing is known of it yet.
import type { Check } from "#core/verify/check.ts";
import { STATUS_WORD } from "#core/verify/labels.ts";
import { classNames } from "#web/lib/class-names.ts";
import { StatusIcon } from "#web/ui/status-mark.tsx";

export type CheckStatus = Check["status"] | "pending";

export const STATUS_OF_VERDICT = { verified: "pass", failed: "fail", unknown: "unknown" } as const;

const COLOURS = { pass: "text-pass", fail: "text-fail", unknown: "text-unknown", pending: "text-soft" } as const;

export function CheckStatusIcon({ status, className }: { readonly status: CheckStatus; readonly className: string }) {
  if (status !== "pending") return <StatusIcon status={status} className={className} />;
  return (
    <svg viewBox="0 0 24 24" className={classNames("flex-none text-soft", className)} aria-hidden="true">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="1.6" />
      <path d="M7.5 12h.01M12 12h.01M16.5 12h.01" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    </svg>
  );
}

export function CheckStatusLine({ status }: { readonly status: CheckStatus }) {
  return (
    <p className={classNames("flex items-center gap-2.5 self-start font-medium text-sm", COLOURS[status])}>
      <CheckStatusIcon status={status} className="shape size-5" />
      {status === "pending" ? "Pending" : STATUS_WORD[status]}
    </p>
  );
}

/** In place of a pass: nothing of the memory was checked but the service's signed word that it was forgotten. */
export const ForgottenLine = () => (
  <p className="flex items-start gap-2.5 self-start font-medium text-sm text-soft">
    <svg viewBox="0 0 24 24" className="shape size-5 flex-none" aria-hidden="true">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M7.5 12h9" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
    Forgotten, by the service’s word
  </p>
);
