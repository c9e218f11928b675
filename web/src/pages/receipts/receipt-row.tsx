import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { citedCount } from "#core/receipt/citations.ts";
import { ReceiptStatusMark } from "#web/receipt/receipt-status.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { AnchoredMarks, type ReceiptEntry, VerifiedMark } from "./receipt-marks.tsx";

/** A receipt in the list. Every part has its own words, so that the list needs no header row and wraps on a phone. */
export function ReceiptRow({ entry }: { readonly entry: ReceiptEntry }) {
  const {
    answerId,
    agentId,
    createdAt,
    usedMemories,
    blockedNamespaces,
    blockedCount = blockedNamespaces.length,
  } = entry.receipt;
  const cited = citedCount(entry.receipt);
  return (
    <li className="relative grid grid-cols-2 items-center gap-x-6 gap-y-1.5 px-5 py-3 hover:bg-well lg:grid-cols-[12rem_minmax(0,1fr)_9rem_7rem_9rem_13rem]">
      <Link href={pagePath("receipt", { answerId })} className="font-medium text-sm after:absolute after:inset-0">
        <Timestamp at={createdAt} />
        <span className="sr-only">, answer to {agentId}</span>
      </Link>
      <span className="min-w-0 text-right text-sm lg:text-left">
        <Name className="line-clamp-2">{agentId}</Name>
      </span>
      <Count open count={usedMemories.length} word={cited === undefined ? "used" : `used, ${cited} cited`} />
      <Count open={false} count={blockedCount} word="blocked" />
      {entry.status === "issued" ? <VerifiedMark memories={usedMemories} /> : <ReceiptStatusMark {...entry} />}
      <AnchoredMarks entry={entry} />
    </li>
  );
}

interface CountProps {
  readonly open: boolean;
  readonly count: number;
  readonly word: string;
}

const Count = ({ open, count, word }: CountProps) => (
  <span className="inline-flex items-center gap-2 text-sm">
    <GateIcon open={open} className="size-4.5" />
    <span>
      <Monospace>{count.toLocaleString("en")}</Monospace> {word}
    </span>
  </span>
);
