// The receipts of an export, newest first, without the text of memories; and for admins the anchored ones, which are
// public.
import { digestOfText } from "#core/encoding/digest.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import type { ExportRecord } from "#core/transfer/export-format.ts";
import type { BlobAnchor, ReceiptFilter, RecordedReceipt } from "#ports.ts";
import type { Quoted } from "#service/policy/fenced-read.ts";
import { quotedMemories, viewReceipt } from "#service/receipts/receipt-view.ts";
import { toEntries } from "#service/receipts/receipts.ts";
import { type ExportScope, readingDeps, writePages } from "./export-scope.ts";
import { exportedLists } from "./exported-lists.ts";

const PAGE = 200;
const PAGE_BYTES = 500_000;

export async function exportReceipts(scope: ExportScope): Promise<void> {
  const deps = readingDeps(scope);
  const wanted = receiptsOf(scope);
  if (wanted === undefined) return;
  const writeLists = exportedLists(scope);
  await writePages<string>(scope, async (before) => {
    const from = before === undefined ? {} : { before };
    const page = { ...wanted, ...from, limit: PAGE, scan: 10 * PAGE, bytes: PAGE_BYTES };
    const { receipts, next } = await deps.records.receipts.page(page);
    const { seeds, quoted } = await seedsOf(scope, receipts);
    const records = receipts.map((each, i) => toRecord(each, seeds[i]));
    await writeLists(records.map(({ receipt }) => receipt.blockedDigest));
    return { records, quoted, next };
  });
}

/** Undefined when the caller reads none of those that are wanted. */
function receiptsOf({ principal, filter: { namespace, sourceAgent } }: ExportScope): ReceiptFilter | undefined {
  const inNamespace = namespace === undefined ? {} : { namespace };
  if (principal.role === "admin" || principal.role === "auditor")
    return { ...inNamespace, ...(sourceAgent !== undefined && { agentId: sourceAgent }) };
  if (principal.role !== "agent") return undefined;
  const { agentId } = principal;
  return sourceAgent === undefined || sourceAgent === agentId ? { ...inNamespace, agentId } : undefined;
}

interface Seeds {
  /** What opens each receipt, for those whom it is given. */
  readonly seeds: readonly (string | undefined)[];
  /** What the seeds would open. */
  readonly quoted: readonly Quoted[];
}

/** A seed opens the snippets too. An agent has it while it may use all of the memories, and they are on record. */
async function seedsOf({ deps, principal }: ExportScope, receipts: readonly RecordedReceipt[]): Promise<Seeds> {
  if (principal.role === "admin") return { seeds: receipts.map(({ seed }) => seed), quoted: [] };
  if (principal.role !== "agent") return { seeds: [], quoted: [] };
  const policy = deps.gatekeeper.lastPolicyOf(principal.agentId);
  const views = (await toEntries(deps, receipts)).map((entry) => viewReceipt(entry, principal, policy));
  const opened = views.filter(({ opening }) => opening !== undefined);
  return { seeds: views.map(({ opening }) => opening?.seed), quoted: opened.flatMap(quotedMemories) };
}

function toRecord(recorded: RecordedReceipt, seed: string | undefined): ExportRecord & { readonly kind: "receipt" } {
  const { body, status, reason, anchor, chain } = recorded;
  return {
    kind: "receipt",
    receipt: JSON.parse(body) as ViewedReceipt,
    status,
    ...(reason !== undefined && { reason }),
    ...(seed !== undefined && { seed }),
    ...(anchor !== null && { anchor }),
    chain: chain.map(({ receiptId, txDigest }) => ({ receiptId, txDigest })),
  };
}

const ANCHORS = 50;

/** Anchored receipts quote memories of all times, so that only admins get them here. Others fetch the public blobs. */
export async function exportAnchors(scope: ExportScope): Promise<void> {
  if (scope.principal.role !== "admin") return;
  const isFiltered = scope.filter.namespace !== undefined || scope.filter.sourceAgent !== undefined;
  if (!isFiltered) await exportAllAnchors(scope);
  await exportOfReceipts(scope, isFiltered);
}

async function exportAllAnchors(scope: ExportScope): Promise<void> {
  await writePages<string>(scope, async (after) => {
    const page = { limit: ANCHORS, ...(after !== undefined && { after }) };
    const anchors = await scope.deps.records.anchors.page(page);
    const next = anchors.length < ANCHORS ? undefined : anchors.at(-1)?.blobId;
    return { records: anchors.map(anchorRecord), quoted: [], next };
  });
}

/** What is on the ledger of the receipts that were issued here and, with a filter, their anchors as blobs. */
async function exportOfReceipts(scope: ExportScope, withBlobs: boolean): Promise<void> {
  const { records } = scope.deps;
  const wanted = receiptsOf(scope);
  await writePages<string>(scope, async (before) => {
    const from = before === undefined ? {} : { before };
    const page = { ...wanted, ...from, anchored: true, limit: ANCHORS, scan: 10 * ANCHORS };
    const { receipts, next } = await records.receipts.page(page);
    const found: ExportRecord[] = [];
    for (const receipt of receipts) {
      const anchor = withBlobs ? await anchorOf(scope, receipt) : undefined;
      if (anchor !== undefined) found.push(anchorRecord(anchor));
      for (const { receiptId } of receipt.chain) {
        const onLedger = await records.chainAnchors.find(receiptId);
        if (onLedger !== undefined) found.push({ kind: "chain-anchor", ...onLedger });
      }
    }
    return { records: found, quoted: [], next };
  });
}

async function anchorOf({ deps: { records } }: ExportScope, receipt: RecordedReceipt): Promise<BlobAnchor | undefined> {
  if (receipt.anchor === null) return undefined;
  const text = (await records.blobTexts.find(receipt.anchor.blobId))?.text;
  if (text === undefined) return undefined;
  const { answerId } = JSON.parse(receipt.body) as ViewedReceipt;
  return { ...receipt.anchor, digest: digestOfText(text), answerId, issued: true, body: text };
}

const anchorRecord = (anchor: BlobAnchor): ExportRecord => ({ kind: "anchor", ...anchor });
