// One check: what was asked, what came of it, what was compared, and what the service says of it.
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import { STATUS_WORD } from "#core/verify/labels.ts";
import type { CheckInProgress } from "#core/verify/progress.ts";
import { classes } from "#web/ui/classes.ts";
import { ComparedValues } from "./compared.tsx";
import { type StatusInProgress, StatusLine } from "./status.tsx";

interface CheckRowProps {
  readonly check: CheckInProgress;
  readonly title: ReactNode;
  /** Said before the sentence: what the receipt shows. */
  readonly shown?: ReactNode;
  /** Of the service, on the same check; undefined while it has not answered. */
  readonly service: StatusInProgress | undefined;
  /** In place of what was compared. */
  readonly values?: ReactNode;
  /** The bytes, and how to repeat it. */
  readonly children?: ReactNode;
}

export function CheckRow({ check, title, shown, service, values, children }: CheckRowProps) {
  const { status } = check;
  return (
    <li
      data-check={check.name}
      data-status={status}
      className={classes(
        "check grid gap-x-4 gap-y-2 px-5 py-5 sm:grid-cols-[8rem_minmax(0,1fr)] sm:px-6",
        status === "fail" && "bg-fail-wash/50 shadow-[inset_3px_0_0_var(--color-fail)]",
      )}
    >
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1 self-start sm:flex-col sm:items-start">
        <StatusLine status={status} />
        <ServiceSays ours={status} theirs={service} />
      </div>
      <div className="min-w-0">
        <h3 className="font-medium">{title}</h3>
        {shown}
        {status === "pending" ? (
          <p className="mt-1 text-sm text-soft">Your browser has not looked yet.</p>
        ) : (
          <>
            <p className="outside mt-1 max-w-[46rem] text-sm text-soft">{visible(check.sentence)}</p>
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

function ServiceSays({
  ours,
  theirs,
}: {
  readonly ours: StatusInProgress;
  readonly theirs: StatusInProgress | undefined;
}) {
  if (theirs === undefined || theirs === "pending" || ours === "pending") return null;
  if (ours === theirs) return <p className="text-soft text-xs">the service agrees</p>;
  return <p className="font-medium text-fail text-xs">the service says: {STATUS_WORD[theirs].toLowerCase()}</p>;
}
