// The header of the page: the browser's verdict as an icon, a word and a sentence.
import type { ReactNode } from "react";
import { visible } from "#core/encoding/visible-text.ts";
import { classNames } from "#web/lib/strings.ts";
import { PageHeader } from "#web/ui/page.tsx";
import { StatusIcon } from "#web/ui/status.tsx";
import { say } from "#web/ui/text.tsx";
import type { ShownVerification } from "./use-verification.ts";

export const VERDICT_LOOKS = {
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

export const STATUS_OF_VERDICT = { verified: "pass", failed: "fail", unknown: "unknown" } as const;

export function VerdictHeader({ receiptId, browser, isBroken, printOnly }: VerdictHeaderProps) {
  const verdict = isBroken ? "unknown" : browser?.progress.verdict;
  const checks = browser?.progress.checks ?? [];
  const done = checks.filter(({ status }) => status !== "pending").length;
  // What takes some time is said at once. In a narrow window the verdict would be shorter, and what follows would move.
  const what = <span className="max-lg:hidden">{WHAT_IS_DONE} </span>;
  const pending = say(what, `Your browser has made ${done} of ${Math.max(checks.length, 1)} checks.`);
  const waiting = { title: "Checking …", lede: pending, isWeak: false };
  const { title, lede, isWeak } = isBroken ? BROKEN : (browser?.words ?? waiting);
  return (
    <div
      data-verdict={verdict ?? "pending"}
      className={classNames(
        "mb-10 rounded-lg border-2 px-5 pt-6 pb-5 sm:px-8 sm:pt-8 print:bg-transparent",
        VERDICT_LOOKS[isWeak ? "consistent" : (verdict ?? "pending")],
      )}
    >
      <div className="flex flex-wrap items-start gap-x-7 gap-y-4">
        <StatusIcon
          status={verdict === undefined ? "pending" : STATUS_OF_VERDICT[verdict]}
          className={classNames("shape size-16 sm:size-20", isWeak && "text-unknown!")}
        />
        {/* There is room for the words of any verdict: nothing below moves when it comes. */}
        <div className="min-w-0 flex-1 basis-72 [&_header]:mb-3 max-sm:[&_h1]:min-h-[2lh] [&_h1+div]:min-h-[2lh]">
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

const WHAT_IS_DONE =
  "The receipt, what the ledger has of it and the memories that it names are fetched, and all of it is checked here.";
const BROKEN = {
  title: "Unknown",
  lede: "Your browser could not ask the service for its blob store and ledger, so nothing was checked.",
  isWeak: false,
};
