import { Link } from "wouter";
import { Gate } from "#web/ui/gate-icon.tsx";
import { Mono } from "#web/ui/text/copyable-id.tsx";
import { Moment } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { AnchoredMarks, type ReceiptEntry, VerifiedMark } from "./receipt-marks.tsx";

/** One answer's receipt as a line: words in every part of it, so that it needs no head and folds on a phone. */
export function EntryRow({ entry }: { readonly entry: ReceiptEntry }) {
  const { answerId, agentId, createdAt, usedMemories, blockedNamespaces } = entry.receipt;
  return (
    <li className="relative grid grid-cols-2 items-center gap-x-6 gap-y-1.5 px-5 py-3 hover:bg-well lg:grid-cols-[12rem_minmax(0,1fr)_7rem_7rem_9rem_13rem]">
      <Link
        href={`/receipts/${encodeURIComponent(answerId)}`}
        className="font-medium text-sm after:absolute after:inset-0"
      >
        <Moment at={createdAt} />
        <span className="sr-only">, answer to {agentId}</span>
      </Link>
      <span className="min-w-0 text-right text-sm lg:text-left">
        <Name className="line-clamp-2">{agentId}</Name>
      </span>
      <Counted open count={usedMemories.length} word="used" />
      <Counted open={false} count={blockedNamespaces.length} word="blocked" />
      <VerifiedMark memories={usedMemories} />
      <AnchoredMarks entry={entry} />
    </li>
  );
}

interface CountedProps {
  readonly open: boolean;
  readonly count: number;
  readonly word: string;
}

const Counted = ({ open, count, word }: CountedProps) => (
  <span className="inline-flex items-center gap-2 text-sm">
    <Gate open={open} className="size-4.5" />
    <span>
      <Mono>{count.toLocaleString("en")}</Mono> {word}
    </span>
  </span>
);
