// The header of the page: the browser's verdict as an icon, a word and a sentence.
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import type { Check, Verdict } from "#core/verify/check.ts";
import { headlineOf, isOnlyConsistent, type LedgerSource, summaryOf } from "#core/verify/labels.ts";
import { ledgerSourceOf } from "#verification/sources.ts";
import { classNames } from "#web/lib/strings.ts";
import { PageHeader } from "#web/ui/page.tsx";
import { CheckStatusIcon, STATUS_OF_VERDICT } from "./checks/check-row.tsx";
import type { ShownVerification } from "./use-verification.ts";

const COLOURS = {
  verified: "border-pass bg-pass-wash",
  consistent: "border-unknown bg-unknown-wash",
  failed: "border-fail bg-fail-wash",
  unknown: "border-unknown bg-unknown-wash",
  pending: "border-edge bg-card",
} as const;

interface VerdictHeaderProps {
  readonly receiptId: string;
  readonly browser: ShownVerification | undefined;
  /** The verification could not start. */
  readonly isBroken: boolean;
  /** Shown on paper only. */
  readonly printOnly: ReactNode;
}

export function VerdictHeader({ receiptId, browser, isBroken, printOnly }: VerdictHeaderProps) {
  const verdict = isBroken ? "unknown" : browser?.progress.verdict;
  const ended = browser?.progress.checks.filter(isEnded) ?? [];
  const ledger = browser === undefined ? "own-node" : ledgerSourceOf(browser.sources);
  const isWeak = isOnlyConsistent(verdict, ledger);
  const title = verdict === undefined ? "Checking …" : headlineOf(verdict, ended, browser?.progress.sealed, ledger);
  const lede = isBroken
    ? "Your browser could not ask the service for its blob store and ledger, so nothing was checked."
    : ledeOf(browser, verdict, ledger);
  return (
    <div
      data-verdict={verdict ?? "pending"}
      className={classNames(
        "mb-10 rounded-lg border-2 px-5 pt-6 pb-5 sm:px-8 sm:pt-8 print:bg-transparent",
        COLOURS[isWeak ? "consistent" : (verdict ?? "pending")],
      )}
    >
      <div className="flex flex-wrap items-start gap-x-7 gap-y-4">
        <CheckStatusIcon
          status={verdict === undefined ? "pending" : STATUS_OF_VERDICT[verdict]}
          className={classNames("shape size-16 sm:size-20", isWeak && "text-unknown!")}
        />
        <div className="min-w-0 flex-1 basis-72 [&_header]:mb-3">
          <PageHeader title={title} lede={<span className="text-ink">{lede}</span>} />
        </div>
        <div className="hidden print:block">{printOnly}</div>
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

function ledeOf(browser: ShownVerification | undefined, verdict: Verdict | undefined, ledger: LedgerSource): string {
  const checks = browser?.progress.checks ?? [];
  if (verdict === undefined) {
    const done = checks.filter(({ status }) => status !== "pending").length;
    return `Your browser has made ${done} of ${Math.max(checks.length, 1)} checks.`;
  }
  return summaryOf({ verdict, checks: checks.filter(isEnded), ledger });
}

const isEnded = (check: ShownVerification["progress"]["checks"][number]): check is Check => check.status !== "pending";
