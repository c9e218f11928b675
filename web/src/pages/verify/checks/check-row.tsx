// One check: its status, its result in words, the compared values, and the service's result.
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import { STATUS_WORD } from "#core/verify/labels.ts";
import type { CheckInProgress } from "#core/verify/progress.ts";
import { classNames } from "#web/lib/class-names.ts";
import { type CheckStatus, CheckStatusLine, ForgottenLine } from "./check-status.tsx";
import { ComparedValues } from "./compared-values.tsx";

interface CheckRowProps {
  readonly check: CheckInProgress;
  readonly title: ReactNode;
  /** What the receipt shows, above the result. */
  readonly quote?: ReactNode;
  /** The service's status of the same check; undefined while it has not answered. */
  readonly service: CheckStatus | undefined;
  /** Shown in place of the compared values. */
  readonly values?: ReactNode;
  /** The raw bytes, and a command to repeat the check. */
  readonly children?: ReactNode;
}

export function CheckRow({ check, title, quote, service, values, children }: CheckRowProps) {
  const { status } = check;
  const isForgotten = "isForgotten" in check && check.isForgotten === true;
  return (
    <li
      data-check={check.name}
      data-status={status}
      className={classNames(
        "check grid gap-x-4 gap-y-2 px-5 py-5 sm:grid-cols-[8rem_minmax(0,1fr)] sm:px-6",
        status === "fail" && "bg-fail-wash/50 shadow-[inset_3px_0_0_var(--color-fail)]",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 self-start sm:flex-col sm:items-start">
        {isForgotten ? <ForgottenLine /> : <CheckStatusLine status={status} />}
        <ServiceResult ours={status} theirs={service} />
      </div>
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        {quote}
        {status === "pending" ? (
          <p className="mt-1 text-sm text-soft">Not checked yet.</p>
        ) : (
          <>
            <p className="untrusted mt-1 max-w-[46rem] text-sm text-soft">{visible(check.sentence)}</p>
            {values ?? (check.compared && <ComparedValues {...check.compared} />)}
            {children !== undefined && (
              <div className="mt-2 flex flex-wrap gap-x-6 [&>details[open]]:basis-full">{children}</div>
            )}
          </>
        )}
      </div>
    </li>
  );
}

interface ServiceResultProps {
  readonly ours: CheckStatus;
  readonly theirs: CheckStatus | undefined;
}

function ServiceResult({ ours, theirs }: ServiceResultProps) {
  if (theirs === undefined || theirs === "pending" || ours === "pending") return null;
  if (ours === theirs) return <p className="text-soft text-xs">the service agrees</p>;
  return <p className="font-medium text-fail text-xs">the service says: {STATUS_WORD[theirs].toLowerCase()}</p>;
}
