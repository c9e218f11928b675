import { Link } from "wouter";
import { pagePath } from "#contract/page-paths.ts";
import type { Reply } from "#contract/routes.ts";
import { citedCount, receiptKind } from "#core/receipt/citations.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import type { CursorPages } from "#web/api/use-cursor-pages.ts";
import { BlobMark, blobStateOf } from "#web/memory/blob.tsx";
import { KeptQuestion } from "#web/receipt/kept-question.tsx";
import { ReceiptStatusMark } from "#web/receipt/receipt-status.tsx";
import { GateIcon } from "#web/ui/gate-icon.tsx";
import { StatusMark } from "#web/ui/status.tsx";
import { Monospace, Name, NameList, Timestamp } from "#web/ui/text.tsx";

/** The receipts of a list. */
export const ReceiptRows = ({ pages: { items, isOutdated } }: { readonly pages: CursorPages<ReceiptEntry> }) =>
  items.length > 0 && (
    <ol
      aria-label="Receipts, newest first"
      aria-busy={isOutdated}
      className="divide-y divide-line rounded-lg border border-line bg-card"
    >
      {items.map((entry) => (
        <ReceiptRow key={entry.receipt.answerId} entry={entry} />
      ))}
    </ol>
  );

/** Every part of a row has its own words, so that the list needs no header row and wraps on a phone. */
function ReceiptRow({ entry }: { readonly entry: ReceiptEntry }) {
  const { receipt } = entry;
  const { answerId, agentId, createdAt, usedMemories, blockedCount = receipt.blockedNamespaces.length } = receipt;
  const { model } = receipt.evidence;
  const cited = citedCount(receipt);
  const namespaces = [...new Set(usedMemories.map(({ namespace }) => namespace))];
  return (
    <li className="relative grid grid-cols-2 items-center gap-x-6 gap-y-1.5 px-5 py-3 hover:bg-well lg:grid-cols-[12rem_minmax(0,1fr)_9rem_7rem_9rem_13rem]">
      <Link href={pagePath("receipt", { answerId })} className="font-medium text-sm after:absolute after:inset-0">
        <Timestamp at={createdAt} />
        <span className="sr-only">
          , {receiptKind(receipt) === "recalled" ? "recalled by" : "answer to"} {agentId}
        </span>
      </Link>
      <span className="min-w-0 text-right text-sm lg:text-left">
        <Name className="line-clamp-2">{agentId}</Name>
        <span className="block text-soft text-xs">{model === null ? "no model" : <Name>{model}</Name>}</span>
      </span>
      <Count open count={usedMemories.length} word={cited === undefined ? wordFor(receipt) : `used, ${cited} cited`} />
      <Count open={false} count={blockedCount} word="closed" />
      {entry.status === "issued" ? <BlobsMark memories={usedMemories} /> : <ReceiptStatusMark {...entry} />}
      <AnchoredMarks entry={entry} />
      <KeptQuestion question={entry.question} className="col-span-full lg:col-start-2" />
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

const Count = ({ open, count, word }: { readonly open: boolean; readonly count: number; readonly word: string }) => (
  <span className="inline-flex items-center gap-2 text-sm">
    <GateIcon open={open} className="size-4.5" />
    <span>
      <Monospace>{count.toLocaleString("en")}</Monospace> {word}
    </span>
  </span>
);

export type ReceiptEntry = Reply<"getReceipt">;

/** The worst state of the used memories' blobs when the answer was made, and how many have it. */
function BlobsMark({ memories }: { readonly memories: ViewedReceipt["usedMemories"] }) {
  const total = memories.length;
  if (total === 0) return <span className="text-soft text-xs">nothing to check</span>;
  const states = memories.map(({ verified = false, intact = false }) => blobStateOf({ verified, intact }));
  const worst = WORST_FIRST.find((state) => states.includes(state)) ?? "intact";
  const count = states.filter((state) => state === worst).length;
  return <BlobMark state={worst} count={count === total ? "" : `${count} of ${total}`} />;
}

const WORST_FIRST = ["altered", "not-reachable", "intact"] as const;

function AnchoredMarks({ entry }: { readonly entry: ReceiptEntry }) {
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

/**
 * The anchors that say something about the answer: those that claim what it used and nothing else. Anybody may anchor the
 * same receipt again with further claims, and that is about these claims. Without such an anchor, all of them.
 */
export function decidingAnchors({ receipt, chain }: Pick<ReceiptEntry, "receipt" | "chain">): ReceiptEntry["chain"] {
  const used = new Set(receipt.usedMemories.map(({ namespace }) => namespace));
  const own = chain.filter(
    ({ claimed }) => claimed.length === used.size && claimed.every((namespace) => used.has(namespace)),
  );
  return own.length > 0 ? own : chain;
}
