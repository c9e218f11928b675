// Verifies a receipt in this browser, and shows each step. It is the code that the service and the command line run.
import type { Check } from "#core/verify/check.ts";
import { headlineOf, isOnlyConsistent, type LedgerSource, summaryOf } from "#core/verify/labels.ts";
import type { Observation, TrustedIds } from "#core/verify/observation.ts";
import { NOTHING_PENDING, type PendingFetches, type Progress, progressOf } from "#core/verify/verify-receipt.ts";
import { type Fetchers, observeReceipt } from "#verification/observe.ts";

/** The current state of a verification in this browser. */
export interface BrowserVerification {
  readonly observation: Observation;
  readonly progress: Progress;
}

export interface VerdictWords {
  readonly title: string;
  readonly lede: string;
  /** It holds as far as the operator is believed. */
  readonly isWeak: boolean;
}

/** Undefined until no check is pending. */
export function verdictWords(
  { verdict, checks: all, sealed }: Progress,
  ledger: LedgerSource,
): VerdictWords | undefined {
  if (verdict === undefined) return undefined;
  const checks = all.filter((check): check is Check => check.status !== "pending");
  const title = headlineOf(verdict, checks, sealed, ledger);
  return { title, lede: summaryOf({ verdict, checks, ledger }), isWeak: isOnlyConsistent(verdict, ledger) };
}

interface VerifyOptions {
  readonly signal: AbortSignal;
  readonly report?: (verification: BrowserVerification) => void;
  readonly trusted?: TrustedIds | undefined;
  /** What the reader holds. It stays in this browser. */
  readonly opening?: string | undefined;
}

/** `receiptId` must have its full length. */
export async function verifyInBrowser(
  receiptId: string,
  fetchers: Fetchers,
  { signal, report, trusted, opening }: VerifyOptions,
): Promise<BrowserVerification> {
  const onStep = (observation: Observation, pending: PendingFetches) => {
    if (!signal.aborted) report?.({ observation, progress: progressOf(observation, pending) });
  };
  const observation = await observeReceipt(receiptId, fetchers, {
    ...(report !== undefined && { onStep }),
    ...(trusted !== undefined && { trusted }),
    opening,
  });
  return { observation, progress: progressOf(observation, NOTHING_PENDING) };
}
