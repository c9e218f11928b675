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

/** All checks are made anew for a report, so what comes within this time is reported together. */
const TOGETHER_MS = 50;

/** Reports the first step at once, and the end. `receiptId` must have its full length. */
export async function verifyInBrowser(
  receiptId: string,
  fetchers: Fetchers,
  { signal, report, trusted, opening }: VerifyOptions,
): Promise<BrowserVerification> {
  const tell = (observation: Observation, pending: PendingFetches): BrowserVerification => {
    const verification = { observation, progress: progressOf(observation, pending) };
    if (!signal.aborted) report?.(verification);
    return verification;
  };
  let latest: Parameters<typeof tell> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const onStep = (...step: Parameters<typeof tell>) => {
    const isFirst = latest === undefined;
    latest = step;
    if (isFirst) tell(...step);
    else timer ??= setTimeout(tellLatest, TOGETHER_MS);
  };
  const tellLatest = () => {
    timer = undefined;
    if (!signal.aborted && latest !== undefined) tell(...latest);
  };
  const observation = await observeReceipt(receiptId, fetchers, {
    ...(report !== undefined && { onStep }),
    ...(trusted !== undefined && { trusted }),
    opening,
  }).finally(() => clearTimeout(timer));
  return tell(observation, NOTHING_PENDING);
}
