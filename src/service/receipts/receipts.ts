// Receipts: the record that one becomes, and reading them back.

import { countFitting } from "#core/count-fitting.ts";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type {
  AnswerReceipt,
  FormerReceipt,
  RecordedReceipt as OnRecordReceipt,
  Opening,
} from "#core/receipt/receipt.ts";
import type { IssuedReceipt, OpenedRecord, ReceiptFilter, RecordedReceipt } from "#ports.ts";
import { type StoredUntil, storedUntil } from "#service/anchoring/stored-until.ts";
import type { Deps } from "#service/deps.ts";
import { scanWithBudget, weightOf } from "#service/scan-budget.ts";

/** The receipt with the columns that it is searched by. `blocked` are all blocked namespaces. */
export function openedRecordOf(receipt: OnRecordReceipt, blocked: readonly string[]): Omit<OpenedRecord, "seed"> {
  const { answerId, agentId, createdAt, usedMemories, blockedDigest: digest } = receipt;
  const used = usedMemories.map(({ namespace }) => namespace);
  return {
    answerId,
    agentId,
    createdAt,
    namespaces: [...new Set(digest === undefined ? [...used, ...blocked] : used)],
    ...(digest !== undefined && { blockedList: { digest, names: blocked } }),
    body: canonicalJson(receipt),
  };
}

/** The same of a complete receipt, with what it is counted by. */
export function issuedReceiptOf(
  receipt: AnswerReceipt | FormerReceipt,
  blocked: readonly string[],
): Omit<IssuedReceipt, "seed"> {
  const { usedMemories } = receipt;
  return {
    ...openedRecordOf(receipt, blocked),
    used: usedMemories.length,
    verified: usedMemories.filter(({ verified }) => verified).length,
    intact: usedMemories.filter(({ intact }) => intact).length,
  };
}

/** A receipt and its anchors. */
export interface ReceiptEntry extends Omit<RecordedReceipt, "body" | "seed" | "anchor"> {
  readonly receipt: OnRecordReceipt;
  readonly anchor: (NonNullable<RecordedReceipt["anchor"]> & StoredUntil) | null;
  /** Absent for receipts of the former format. */
  readonly opening?: Opening;
}

/** Newest first. With filters, and when receipts are long, a page may be short although it is not the last. */
export async function listReceipts(
  { records }: Deps,
  filter: ReceiptFilter,
  page: { readonly limit: number; readonly before?: string | undefined; readonly signal?: AbortSignal },
): Promise<{ receipts: readonly ReceiptEntry[]; next: string | undefined }> {
  const { found, next } = await scanWithBudget(page, async (step) => {
    const { receipts, next } = await records.receipts.page({ ...filter, ...step });
    const entries = receipts.map(({ seed: _, ...receipt }) => toEntry(receipt));
    const found = entries.slice(0, countFitting(entries.map(weightOf), step.bytes));
    return { found, next: found.length < entries.length ? found.at(-1)?.receipt.answerId : next };
  });
  return { receipts: found, next };
}

/** An agent's own receipt, or anybody's for the others. To an agent, another's receipt does not exist. */
export async function getReceipt({ records }: Deps, answerId: string, principal: Principal): Promise<ReceiptEntry> {
  const found = await records.receipts.find(answerId);
  const entry = found && toEntry(found);
  const isReadable = entry !== undefined && (principal.role !== "agent" || entry.receipt.agentId === principal.agentId);
  if (!isReadable) throw new PortcullisError("not-found", "This service has no receipt with this id.");
  return entry;
}

/** The entry, with the time until which its proof can be fetched. */
export async function withStoredUntil(deps: Deps, entry: ReceiptEntry): Promise<ReceiptEntry> {
  const { anchor, receipt } = entry;
  if (anchor === null) return entry;
  return { ...entry, anchor: { ...anchor, ...(await storedUntil(deps, anchor.blobId, receipt)) } };
}

function toEntry({ body, seed, ...rest }: RecordedReceipt): ReceiptEntry {
  const receipt = JSON.parse(body) as OnRecordReceipt;
  return { receipt, ...(seed !== undefined && { opening: { v: 2, seed } }), ...rest };
}
