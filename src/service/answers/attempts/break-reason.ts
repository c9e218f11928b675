import { PortcullisError } from "#core/errors.ts";
import type { BreakReason } from "#core/receipt/receipt-status.ts";

interface Circumstances {
  readonly isStale: boolean;
  readonly isCallerGone: boolean;
}

/** Why an attempt ended that had begun to send. */
export function breakReasonOf(error: unknown, { isStale, isCallerGone }: Circumstances): BreakReason {
  if (isCallerGone) return "caller-gone";
  if (isStale) return "policy-changed";
  const code = error instanceof PortcullisError ? error.code : undefined;
  switch (code) {
    case "prompt-too-long":
      return code;
    case "model-failed":
    case "model-unavailable":
    case "model-timeout":
      return "model-failed";
    case "records-unavailable":
    case "storage-full":
    case "storage-lost":
      return "records-failed";
    default:
      return "failed";
  }
}
