import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import { citedCount } from "#core/receipt/citations.ts";
import { receiptKind } from "#core/receipt/receipt-kind.ts";
import { ReceiptStatusMark } from "#web/receipt/receipt-status.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { Monospace } from "#web/ui/text/monospace.tsx";
import { Timestamp } from "#web/ui/text/timestamp.tsx";
import { Name } from "#web/ui/text/untrusted-text.tsx";
import { AnchoredMarks, BlobsMark, type ReceiptEntry } from "./receipt-marks.tsx";

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
  const namespaces = [...new Set(usedMemories.map(({ namespace }) => namespace))];
  const { model } = entry.receipt.evidence;
  return (
    <li className="relative grid grid-cols-2 items-center gap-x-6 gap-y-1.5 px-5 py-3 hover:bg-well lg:grid-cols-[12rem_minmax(0,1fr)_9rem_7rem_9rem_13rem]">
      <Link href={pagePath("receipt", { answerId })} className="font-medium text-sm after:absolute after:inset-0">
        <Timestamp at={createdAt} />
        <span className="sr-only">
          , {receiptKind(entry.receipt) === "recalled" ? "recalled by" : "answer to"} {agentId}
        </span>
      </Link>
      <span className="min-w-0 text-right text-sm lg:text-left">
        <Name className="line-clamp-2">{agentId}</Name>
        <span className="block text-soft text-xs">{model === null ? "no model" : <Name>{model}</Name>}</span>
      </span>
      <Count
        open
        count={usedMemories.length}
        word={cited === undefined ? wordFor(entry.receipt) : `used, ${cited} cited`}
      />
      <Count open={false} count={blockedCount} word="blocked" />
      {entry.status === "issued" ? <BlobsMark memories={usedMemories} /> : <ReceiptStatusMark {...entry} />}
      <AnchoredMarks entry={entry} />
      {entry.question !== undefined && (
        <p dir="auto" className="untrusted col-span-full line-clamp-2 font-serif lg:col-start-2">
          {entry.question}
        </p>
      )}
      {namespaces.length > 0 && (
        <p className="col-span-full line-clamp-2 text-soft text-xs lg:col-start-2">
          from <NameList names={namespaces} />
        </p>
      )}
    </li>
  );
}

/** Of memories that a caller's own model was given, nobody here knows whether they were used. */
const wordFor = (receipt: ReceiptEntry["receipt"]) => (receiptKind(receipt) === "recalled" ? "recalled" : "used");

/** How many namespaces a row names. */
const MOST_NAMED = 6;

const NameList = ({ names }: { readonly names: readonly string[] }) => (
  <>
    {names.slice(0, MOST_NAMED).map((name, i) => (
      <span key={name}>
        {i > 0 && ", "}
        <Name className="text-ink">{name}</Name>
      </span>
    ))}
    {names.length > MOST_NAMED && ` and ${names.length - MOST_NAMED} more`}
  </>
);

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
