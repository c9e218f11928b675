// The status of a receipt in a list: the checks of its memories, and its anchors.
import type { Reply } from "#contract/routes.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { decidingAnchors } from "./deciding-anchors.ts";

export type ReceiptEntry = Reply<"getReceipt">;

/** The results of the checks of the used memories' blobs, from when the answer was made. */
export function VerifiedMark({ memories }: { readonly memories: ViewedReceipt["usedMemories"] }) {
  const total = memories.length;
  const unverified = memories.filter(({ verified }) => !verified).length;
  const changed = memories.filter(({ verified, intact }) => verified && !intact).length;
  if (total === 0) return <span className="text-soft text-xs">nothing to verify</span>;
  if (changed > 0)
    return <StatusMark status="fail">{changed === total ? "none intact" : `${changed} not intact`}</StatusMark>;
  if (unverified > 0) {
    return (
      <StatusMark status="unknown">{unverified === total ? "not verified" : `${unverified} not verified`}</StatusMark>
    );
  }
  return <StatusMark status="pass">all verified</StatusMark>;
}

export function AnchoredMarks({ entry }: { readonly entry: ReceiptEntry }) {
  const { anchor, pending } = entry;
  const chain = decidingAnchors(entry);
  const refused = chain.filter(({ allAuthorized }) => !allAuthorized).length;
  return (
    <span className="flex flex-wrap gap-x-3 gap-y-1">
      {anchor === null && chain.length === 0 && pending === 0 && (
        <span className="text-soft text-xs">not anchored</span>
      )}
      {anchor !== null && chain.length === 0 && <StatusMark status="pass">anchored as a blob</StatusMark>}
      {chain.length > refused && <StatusMark status="pass">on the ledger</StatusMark>}
      {refused > 0 && <StatusMark status="fail">on the ledger, not authorized</StatusMark>}
      {pending > 0 && (
        <StatusMark status="unknown">{pending === 1 ? "1 anchor pending" : `${pending} anchors pending`}</StatusMark>
      )}
    </span>
  );
}
