// The status of a receipt in a list: the checks of its memories, and its anchors.
import type { Reply } from "#contract/routes.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import { BLOB_STATES, blobStateOf } from "#web/memory/blob-state.ts";
import { StatusMark } from "#web/ui/status-mark.tsx";
import { decidingAnchors } from "./deciding-anchors.ts";

export type ReceiptEntry = Reply<"getReceipt">;

/** The worst state of the used memories' blobs when the answer was made, and how many have it. */
export function BlobsMark({ memories }: { readonly memories: ViewedReceipt["usedMemories"] }) {
  const total = memories.length;
  if (total === 0) return <span className="text-soft text-xs">nothing to check</span>;
  const states = memories.map(({ verified = false, intact = false }) => blobStateOf({ verified, intact }));
  const worst = WORST_FIRST.find((state) => states.includes(state)) ?? "intact";
  const count = states.filter((state) => state === worst).length;
  const [status, word, meaning] = BLOB_STATES[worst];
  return (
    <StatusMark status={status} title={meaning}>
      {count === total ? word : `${count} of ${total} ${word}`}
    </StatusMark>
  );
}

const WORST_FIRST = ["altered", "not-reachable", "intact"] as const;

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
