// What was checked, as a shape and a word: a disc with a tick, an octagon with a cross, a broken ring.
import type { ReactNode } from "react";
import { classes } from "#web/lib/class-names.ts";

export type Status = "pass" | "fail" | "unknown";

const COLOURS = { pass: "text-pass", fail: "text-fail", unknown: "text-unknown" } as const;

interface ShapeProps {
  readonly status: Status;
  readonly className?: string;
}

/** Decorative: the word stands beside it. */
export function Shape({ status, className = "size-4" }: ShapeProps) {
  return (
    <svg viewBox="0 0 24 24" className={classes("flex-none", COLOURS[status], className)} aria-hidden="true">
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

interface MarkProps {
  readonly status: Status;
  /** The words: "verified", "not verified". */
  readonly children: ReactNode;
  readonly title?: string;
}

export function Mark({ status, children, title }: MarkProps) {
  return (
    <span className={classes("inline-flex items-center gap-1.5 text-xs", COLOURS[status])} title={title}>
      <Shape status={status} />
      {children}
    </span>
  );
}

/** What the checks of a used memory showed: the blob was there, and its bytes are the ones that were stored. */
export function MemoryMarks({ verified, intact }: { readonly verified: boolean; readonly intact: boolean }) {
  if (!verified) {
    return (
      <Mark status="unknown" title="The aggregator did not give the blob when this answer was made.">
        not verified
      </Mark>
    );
  }
  return (
    <span className="inline-flex flex-wrap gap-x-3 gap-y-1">
      <Mark status="pass" title="A live GET of the blob succeeded when this answer was made.">
        verified
      </Mark>
      {intact ? (
        <Mark status="pass" title="The bytes that came are the ones that were stored.">
          intact
        </Mark>
      ) : (
        <Mark status="fail" title="The bytes that came are not the ones that were stored.">
          not intact
        </Mark>
      )}
    </span>
  );
}
