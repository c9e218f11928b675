// The result of a check as an icon with a word. The icons differ in shape, not only in colour.
import type { ComponentProps, ReactNode } from "react";
import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { ProblemError } from "#contract/problem.ts";
import { classNames } from "#web/lib/strings.ts";
import { usePermissions } from "#web/session/permissions.ts";
import { Button } from "./form.tsx";

export type Status = "pass" | "fail" | "unknown";

export const COLOURS = {
  pass: "text-pass",
  fail: "text-fail",
  unknown: "text-unknown",
  pending: "text-soft",
  forgotten: "text-soft",
} as const;

interface StatusIconProps {
  /** A pending check has its own icon: nothing is known of it yet. */
  readonly status: keyof typeof COLOURS;
  readonly className?: string;
}

/** Decorative: the text beside it must say the status too. */
export const StatusIcon = ({ status, className = "size-4" }: StatusIconProps) => (
  <svg viewBox="0 0 24 24" className={classNames("flex-none", COLOURS[status], className)} aria-hidden="true">
    {status === "pass" && (
      <>
        <circle cx="12" cy="12" r="11" fill="currentColor" />
        <path d="M7 12.4l3.4 3.4L17.2 9" className="fill-none stroke-[2.4] stroke-card" strokeLinecap="round" />
      </>
    )}
    {status === "fail" && (
      <>
        <path d="M7.5 1h9L23 7.5v9L16.5 23h-9L1 16.5v-9z" fill="currentColor" />
        <path d="M8.3 8.3l7.4 7.4m0-7.4l-7.4 7.4" className="stroke-[2.4] stroke-card" strokeLinecap="round" />
      </>
    )}
    {status === "unknown" && (
      <g fill="none" stroke="currentColor" strokeWidth="2">
        <circle cx="12" cy="12" r="10" strokeDasharray="3.9 2.4" />
        <path d="M9.2 9.4a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1-1.5 2.1" strokeLinecap="round" />
        <circle cx="12" cy="17.2" r="1.3" fill="currentColor" stroke="none" />
      </g>
    )}
    {(status === "pending" || status === "forgotten") && (
      <g fill="none" stroke="currentColor" strokeLinecap="round">
        <circle cx="12" cy="12" r="10" strokeWidth="1.6" />
        <path d={status === "pending" ? "M7.5 12h.01M12 12h.01M16.5 12h.01" : "M7.5 12h9"} strokeWidth="2.5" />
      </g>
    )}
  </svg>
);

interface StatusMarkProps {
  readonly status: Status;
  readonly children: ReactNode;
  readonly title?: string;
}

export const StatusMark = ({ status, children, title }: StatusMarkProps) => (
  <span className={classNames("inline-flex items-center gap-1.5 text-xs", COLOURS[status])} title={title}>
    <StatusIcon status={status} />
    {children}
  </span>
);

/** What a ledger decided on the claims of a receipt. */
export const ClaimsMark = ({ areAuthorized }: { readonly areAuthorized: boolean }) => (
  <StatusMark status={areAuthorized ? "pass" : "fail"}>
    {areAuthorized ? "every claim authorized" : "not authorized: a claim was refused"}
  </StatusMark>
);

interface ProgressBarProps {
  readonly label: string;
  readonly value: number;
  readonly max: number;
  readonly hasFailed?: boolean;
}

export const ProgressBar = ({ label, value, max, hasFailed = false }: ProgressBarProps) => (
  <progress
    aria-label={label}
    value={value}
    max={max}
    className={classNames(
      "h-2 w-full appearance-none overflow-hidden rounded-sm bg-well [&::-webkit-progress-bar]:bg-line",
      hasFailed
        ? "[&::-moz-progress-bar]:bg-fail [&::-webkit-progress-value]:bg-fail"
        : "[&::-moz-progress-bar]:bg-pass [&::-webkit-progress-value]:bg-pass",
    )}
  />
);

interface ProblemNoteProps {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
  readonly className?: string;
}

/** An error message: the service's own words, and a button to try again. */
export function ProblemNote({ error, onRetry, className }: ProblemNoteProps) {
  const { title, detail, requestId, fields } = messageOf(error);
  return (
    <FaultNote title={title} detail={detail} className={className}>
      {fields.length > 0 && (
        <ul className="mt-1 list-disc pl-5 text-sm">
          {fields.map((field) => (
            <li key={field}>{field}</li>
          ))}
        </ul>
      )}
      {(requestId !== undefined || onRetry !== undefined) && (
        <p className="mt-2 flex flex-wrap items-center gap-x-4 gap-y-2 text-soft text-xs">
          {onRetry !== undefined && <Button onClick={onRetry}>Try again</Button>}
          {requestId !== undefined && (
            <span>
              <RequestId requestId={requestId} />
            </span>
          )}
        </p>
      )}
    </FaultNote>
  );
}

interface FaultNoteProps extends ComponentProps<"div"> {
  readonly title: string;
  readonly detail: string;
}

/** What went wrong, in words. */
export const FaultNote = ({ title, detail, className, children, ...rest }: FaultNoteProps) => (
  <div role="alert" {...rest} className={classNames("rounded-md border border-fail bg-fail-wash px-4 py-3", className)}>
    <p className="flex items-center gap-2 font-medium">
      <StatusIcon status="fail" />
      {title}
    </p>
    <p className="mt-1 text-sm empty:hidden">{detail}</p>
    {children}
  </div>
);

function messageOf(error: unknown) {
  if (error instanceof ProblemError) {
    const { title, detail, requestId, errors = [] } = error.problem;
    const fields = errors.map((field) => `${field.pointer ?? field.parameter ?? ""} ${field.detail}`.trim());
    return { title, detail, requestId, fields };
  }
  return {
    title: "The service did not answer",
    detail: "Check that the service is running, then try again.",
    requestId: undefined,
    fields: [],
  };
}

/** The id of a request, with a link to what is on record about it, for whoever may read the decision log. */
export function RequestId({ requestId }: { readonly requestId: string }) {
  const { may } = usePermissions();
  return (
    <>
      Request id <code className="font-mono">{requestId}</code>
      {may("listDecisions") && (
        <>
          {" "}
          <Link
            href={`${pagePath("activity")}?${new URLSearchParams({ requestId })}`}
            className="inline-flex min-h-7 items-center"
          >
            Look up this request
          </Link>
        </>
      )}
    </>
  );
}
