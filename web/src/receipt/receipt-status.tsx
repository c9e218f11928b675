// How far the answer of a receipt got, in words.
import type { BreakReason, ReceiptStatus } from "#core/receipt/receipt.ts";
import { assuranceOf } from "#core/verify/assurance.ts";
import { useServiceInfo } from "#web/api/queries.ts";
import { StatusMark } from "#web/ui/status.tsx";
import { Timestamp } from "#web/ui/text.tsx";

interface StatusProps {
  readonly status: ReceiptStatus;
  readonly reason?: BreakReason | undefined;
}

const REASONS: Readonly<Record<BreakReason, string>> = {
  "caller-gone": "the caller went away",
  "model-failed": "the model failed",
  "prompt-too-long": "the prompt was too long for the model",
  "policy-changed": "the policy changed",
  "records-failed": "the database failed",
  abandoned: "the service stopped",
  failed: "something failed",
};

/** For a receipt that was not issued, or whose answer was broken off. */
export function ReceiptStatusMark({ status, reason = "failed" }: StatusProps) {
  if (status === "issued") return null;
  return (
    <StatusMark status="unknown">{status === "begun" ? "in progress" : `broken off: ${REASONS[reason]}`}</StatusMark>
  );
}

export function ReceiptStatusNote({ status, reason = "failed" }: StatusProps) {
  if (status === "issued") return null;
  return (
    <p className="mb-8 max-w-prose rounded-lg border border-line bg-unknown-wash px-4 py-3 text-sm">
      {status === "begun"
        ? "The answer is being made. This receipt was recorded before the prompt left, and is completed at the end."
        : `The answer was broken off: ${REASONS[reason]}. What is listed here may have left for the model, and a part of the answer for the caller.`}
    </p>
  );
}

/** What an anchored receipt proves, with the ledger and the blob store of this service. */
export function WorthOfProof({ className }: { readonly className: string }) {
  const { data } = useServiceInfo();
  if (data === undefined) return null;
  return (
    <p className={className} data-worth>
      {assuranceOf({ network: data.ledger.network, blobs: data.blobs.kind })}
    </p>
  );
}

/** Until when the proof of a receipt can be fetched, as the service says it. Undefined: the service does not know. */
export function StoredUntil({ until }: { readonly until: string | null | undefined }) {
  if (until === undefined) return <>not known</>;
  if (until === null) return <>as long as this service keeps its records</>;
  const isOver = Date.parse(until) <= Date.now();
  return (
    <>
      {isOver ? "may be gone since" : "until"} <Timestamp at={until} />
      {!isOver && " at least"}
    </>
  );
}
