// The verdict: a shape, a word, a sentence, and who came to it.
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import type { Check, Verdict } from "#core/verify/check.ts";
import { HEADLINE, summaryOf } from "#core/verify/labels.ts";
import { classes } from "#web/ui/classes.ts";
import { PageHeader } from "#web/ui/page-header.tsx";
import type { Look } from "./look/run.ts";
import { StatusShape } from "./status.tsx";

const STATUS = { verified: "pass", failed: "fail", unknown: "unknown" } as const;

const WASH = {
  verified: "border-pass bg-pass-wash",
  failed: "border-fail bg-fail-wash",
  unknown: "border-unknown bg-unknown-wash",
  pending: "border-edge bg-card",
} as const;

interface VerdictHeaderProps {
  readonly receiptId: string;
  readonly look: Look | undefined;
  /** The look could not begin: then nothing is known. */
  readonly isBroken: boolean;
  /** Shown beside it when it is printed. */
  readonly onPaper: ReactNode;
}

export function VerdictHeader({ receiptId, look, isBroken, onPaper }: VerdictHeaderProps) {
  const verdict = isBroken ? "unknown" : look?.progress.verdict;
  const title = verdict === undefined ? "Checking …" : HEADLINE[verdict];
  const lede = isBroken
    ? "Your browser could not find out where to look, so nothing was checked."
    : ledeOf(look, verdict);
  return (
    <div
      data-verdict={verdict ?? "pending"}
      className={classes(
        "mb-10 rounded-lg border-2 px-5 pt-6 pb-5 sm:px-8 sm:pt-8 print:bg-transparent",
        WASH[verdict ?? "pending"],
      )}
    >
      <div className="flex flex-wrap items-start gap-x-7 gap-y-4">
        <StatusShape
          status={verdict === undefined ? "pending" : STATUS[verdict]}
          className="shape size-16 sm:size-20"
        />
        <div className="min-w-0 flex-1 basis-72 [&_header]:mb-3">
          <PageHeader title={title} lede={<span className="text-ink">{lede}</span>} />
        </div>
        <div className="hidden print:block">{onPaper}</div>
      </div>
      <p className="border-current/15 border-t pt-3 text-sm">
        Receipt <code className="break-all font-mono text-xs">{visible(receiptId)}</code>
      </p>
      <p role="status" className="sr-only">
        {verdict === undefined ? "" : `${title}. ${lede}`}
      </p>
    </div>
  );
}

function ledeOf(look: Look | undefined, verdict: Verdict | undefined): string {
  const checks = look?.progress.checks ?? [];
  if (verdict === undefined) {
    const done = checks.filter(({ status }) => status !== "pending").length;
    return `Your browser has made ${done} of ${Math.max(checks.length, 1)} checks.`;
  }
  return summaryOf({ verdict, checks: checks.filter(isEnded), network: look?.where?.url === undefined ? "local" : "" });
}

const isEnded = (check: Look["progress"]["checks"][number]): check is Check => check.status !== "pending";
