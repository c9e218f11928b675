// What is known of a receipt at a glance.
import type { Reply } from "#contract/routes.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { Mark } from "#web/ui/status-mark.tsx";

export type ReceiptEntry = Reply<"getReceipt">;

/** What was seen of the used memories' blobs when the answer was made. */
export function VerifiedMark({ memories }: { readonly memories: AnswerReceipt["usedMemories"] }) {
  const total = memories.length;
  const unverified = memories.filter(({ verified }) => !verified).length;
  const changed = memories.filter(({ verified, intact }) => verified && !intact).length;
  if (total === 0) return <span className="text-soft text-xs">nothing to verify</span>;
  if (changed > 0) return <Mark status="fail">{changed === total ? "none intact" : `${changed} not intact`}</Mark>;
  if (unverified > 0) {
    return <Mark status="unknown">{unverified === total ? "not verified" : `${unverified} not verified`}</Mark>;
  }
  return <Mark status="pass">all verified</Mark>;
}

export function AnchoredMarks({ entry: { anchor, chain, pending } }: { readonly entry: ReceiptEntry }) {
  const refused = chain.filter(({ allAuthorized }) => !allAuthorized).length;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {anchor === null && chain.length === 0 && pending === 0 && (
        <span className="text-soft text-xs">not anchored</span>
      )}
      {anchor !== null && chain.length === 0 && <Mark status="pass">anchored as a blob</Mark>}
      {chain.length > refused && <Mark status="pass">on the ledger</Mark>}
      {refused > 0 && <Mark status="fail">on the ledger, not authorized</Mark>}
      {pending > 0 && <Mark status="unknown">{pending === 1 ? "1 anchor pending" : `${pending} anchors pending`}</Mark>}
    </span>
  );
}
