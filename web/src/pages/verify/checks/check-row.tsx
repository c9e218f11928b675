// One check: its status, its result in words, the compared values, and the service's result.
import { Fragment, type ReactNode } from "react";
import { differenceOf, visible } from "#core/encoding/visible-text.ts";
import type { Check, Compared } from "#core/verify/check.ts";
import { STATUS_WORD } from "#core/verify/labels.ts";
import type { Command } from "#core/verify/shell-commands.ts";
import type { CheckInProgress } from "#core/verify/verify-receipt.ts";
import { classNames } from "#web/lib/strings.ts";
import { CopyButton } from "#web/ui/form.tsx";
import { Disclosure } from "#web/ui/page.tsx";
import { COLOURS, StatusIcon } from "#web/ui/status.tsx";

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
  const isForgotten = status === "unknown" && check.code === "memory-forgotten";
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

function ServiceResult({ ours, theirs }: { readonly ours: CheckStatus; readonly theirs: CheckStatus | undefined }) {
  if (theirs === undefined || theirs === "pending" || ours === "pending") return null;
  if (ours === theirs) return <p className="text-soft text-xs">the service agrees</p>;
  return <p className="font-medium text-fail text-xs">the service says: {STATUS_WORD[theirs].toLowerCase()}</p>;
}

/** A shell command that repeats a check without this page. */
export const ShellCommand = ({ command: { purpose, line, prints } }: { readonly command: Command }) => (
  <Disclosure summary="Repeat it in a shell">
    <figure>
      <figcaption className="text-soft text-sm">{purpose}</figcaption>
      <div className="mt-1.5 flex items-start gap-2 rounded-md bg-well py-2 pr-2 pl-3.5">
        <pre className="untrusted min-w-0 flex-1 whitespace-pre-wrap py-1 font-mono text-xs">
          <code>{line}</code>
        </pre>
        <CopyButton text={line} what="command" />
      </div>
      {prints !== undefined && (
        <p className="mt-1.5 text-soft text-sm">
          It must print <code className="font-mono text-ink text-xs">{visible(prints)}</code>
        </p>
      )}
    </figure>
  </Disclosure>
);

type CheckStatus = Check["status"] | "pending";

const CheckStatusLine = ({ status }: { readonly status: CheckStatus }) => (
  <p className={classNames("flex items-center gap-2.5 self-start font-medium text-sm", COLOURS[status])}>
    <StatusIcon status={status} className="shape size-5" />
    {status === "pending" ? "Pending" : STATUS_WORD[status]}
  </p>
);

/** In place of “unknown”: nothing of the memory was checked but the service's signed word that it was forgotten. */
const ForgottenLine = () => (
  <p className="flex items-start gap-2.5 self-start font-medium text-sm text-soft">
    <svg viewBox="0 0 24 24" className="shape size-5 flex-none" aria-hidden="true">
      <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="2" />
      <path d="M7.5 12h9" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
    </svg>
    Forgotten, by the service’s word
  </p>
);

/** The expected and the found value, with their difference marked. */
export function ComparedValues({ expected, actual }: Compared) {
  if (expected === actual) return <Values rows={[["both", breakable(expected)]]} />;
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
  return (
    <Values
      rows={[
        ["expected", marked(left)],
        ["found", marked(right)],
      ]}
    />
  );
}

/** Lets the browser break a long Move type between its parts. */
const breakable = (text: string): ReactNode =>
  visible(text)
    .split("::")
    .map((part, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other key and never change their order.
      <Fragment key={index}>
        {index > 0 && (
          <>
            <wbr />
            ::
          </>
        )}
        {part}
      </Fragment>
    ));

export const Values = ({ rows }: { readonly rows: readonly (readonly [label: string, value: ReactNode])[] }) => (
  <dl className="compared mt-3 rounded-md bg-well px-3.5 py-2.5">
    {rows.map(([label, value]) => (
      <div key={label} className="grid gap-x-3 py-0.5 sm:grid-cols-[4.75rem_minmax(0,1fr)]">
        <dt className="text-soft text-xs">{label}</dt>
        <dd className="untrusted whitespace-pre-wrap font-mono text-xs">{value}</dd>
      </div>
    ))}
  </dl>
);
