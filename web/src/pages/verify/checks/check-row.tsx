// One check: its status, its result in words, the compared values, and the service's result.
import type { ReactNode } from "react";
import { differenceOf, visible } from "#core/encoding/visible-text.ts";
import type { Check, Compared } from "#core/verify/check.ts";
import { STATUS_WORD } from "#core/verify/labels.ts";
import type { Command } from "#core/verify/shell-commands.ts";
import type { CheckInProgress } from "#core/verify/verify-receipt.ts";
import { classNames } from "#web/lib/strings.ts";
import { Disclosure } from "#web/ui/page.tsx";
import { COLOURS, StatusIcon } from "#web/ui/status.tsx";
import { CodeBlock, Facts, say } from "#web/ui/text.tsx";

interface CheckRowProps {
  readonly check: CheckInProgress;
  readonly title: ReactNode;
  /** What the receipt shows, above the result. */
  readonly quote?: ReactNode;
  /** The service's status of the same check; undefined while it has not answered. */
  readonly service: CheckStatus | undefined;
  readonly values?: ReactNode;
  readonly children?: ReactNode;
}

export function CheckRow({ check, title, quote, service, values, children }: CheckRowProps) {
  const { status } = check;
  const shown = status === "unknown" && check.code === "memory-forgotten" ? "forgotten" : status;
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
        {/* Nothing of a forgotten memory was checked but the service's signed word that it was forgotten. */}
        <p className={classNames("flex gap-2.5 self-start font-medium text-sm", COLOURS[shown])}>
          <StatusIcon status={shown} className="shape size-5" />
          {shown === "pending"
            ? "Pending"
            : shown === "forgotten"
              ? "Forgotten, by the service’s word"
              : STATUS_WORD[shown]}
        </p>
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

function ServiceResult({ ours, theirs }: { readonly ours: CheckStatus; readonly theirs: CheckStatus | undefined }) {
  if (theirs === undefined || theirs === "pending" || ours === "pending") return null;
  if (ours === theirs) return <p className="text-soft text-xs">the service agrees</p>;
  return <p className="font-medium text-fail text-xs">the service says: {STATUS_WORD[theirs].toLowerCase()}</p>;
}

/** A shell command that repeats a check without this page. */
export const ShellCommand = ({ command: { purpose, line, prints } }: { readonly command: Command }) => (
  <Disclosure summary="Repeat it in a shell">
    <p className="mb-1.5 text-soft text-sm">{purpose}</p>
    <CodeBlock label="command" text={line} />
    {prints !== undefined && (
      <p className="mt-1.5 text-soft text-sm">
        It must print <code className="font-mono text-ink text-xs">{visible(prints)}</code>
      </p>
    )}
  </Disclosure>
);

type CheckStatus = Check["status"] | "pending";

/** The expected and the found value, with their difference marked. */
export function ComparedValues({ expected, actual }: Compared) {
  if (expected === actual) return <Values rows={{ both: breakable(expected) }} />;
  const { start, left, right, end } = differenceOf(expected, actual);
  const marked = (middle: string): ReactNode => (
    <>
      {breakable(start)}
      <mark className="rounded-sm bg-fail-wash text-ink underline decoration-2 decoration-fail underline-offset-4">
        {middle === "" ? <i>nothing</i> : breakable(middle)}
      </mark>
      {breakable(end)}
    </>
  );
  return <Values rows={{ expected: marked(left), found: marked(right) }} />;
}

/** Lets the browser break a long Move type between its parts. */
function breakable(text: string): ReactNode {
  const [first = "", ...rest] = visible(text).split("::");
  return say(first, ...rest.map((part) => say(<wbr />, "::", part)));
}

export const Values = ({ rows }: { readonly rows: Readonly<Record<string, ReactNode>> }) => (
  <Facts
    className="compared mt-3 gap-y-0! rounded-md bg-well px-3.5 py-2.5 text-xs [&_dd]:untrusted [&_dd]:whitespace-pre-wrap [&_dd]:font-mono"
    row="grid gap-x-3 py-0.5 sm:grid-cols-[4.75rem_minmax(0,1fr)]"
    rows={rows}
  />
);
