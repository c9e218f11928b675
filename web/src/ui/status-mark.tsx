// The result of a check as an icon with a word. The icons differ in shape, not only in colour.
import type { ReactNode } from "react";
import { classNames } from "#web/lib/class-names.ts";

export type Status = "pass" | "fail" | "unknown";

const COLOURS = { pass: "text-pass", fail: "text-fail", unknown: "text-unknown" } as const;

interface StatusIconProps {
  readonly status: Status;
  readonly className?: string;
}

/** Decorative: the text beside it must say the status too. */
export function StatusIcon({ status, className = "size-4" }: StatusIconProps) {
  return (
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
        <>
          <circle cx="12" cy="12" r="10" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="3.9 2.4" />
          <path
            d="M9.2 9.4a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1-1.5 2.1"
            fill="none"
            stroke="currentColor"
            strokeWidth="2"
            strokeLinecap="round"
          />
          <circle cx="12" cy="17.2" r="1.3" fill="currentColor" />
        </>
      )}
    </svg>
  );
}

interface StatusMarkProps {
  readonly status: Status;
  /** The status in words: "intact", "altered". */
  readonly children: ReactNode;
  readonly title?: string;
}

export function StatusMark({ status, children, title }: StatusMarkProps) {
  return (
    <span className={classNames("inline-flex items-center gap-1.5 text-xs", COLOURS[status])} title={title}>
      <StatusIcon status={status} />
      {children}
    </span>
  );
}
