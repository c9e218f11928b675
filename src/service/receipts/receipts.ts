// Issued receipts: the record that one becomes, and reading them back.
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { IssuedReceipt, ReceiptFilter, RecordedReceipt } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { scanWithBudget } from "#service/scan-budget.ts";

/** The receipt with the columns that it is searched and counted by. */
export function issuedReceiptOf(receipt: AnswerReceipt): IssuedReceipt {
  const { answerId, agentId, createdAt, usedMemories, blockedNamespaces } = receipt;
  return {
    answerId,
    agentId,
    createdAt,
    namespaces: [...new Set([...usedMemories.map(({ namespace }) => namespace), ...blockedNamespaces])],
    used: usedMemories.length,
    verified: usedMemories.filter(({ verified }) => verified).length,
    intact: usedMemories.filter(({ intact }) => intact).length,
    body: canonicalJson(receipt),
  };
}

/** A receipt and its anchors. */
export interface ReceiptEntry extends Omit<RecordedReceipt, "body"> {
  readonly receipt: AnswerReceipt;
}

/** Newest first. With filters, a page may be short although it is not the last. */
export async function listReceipts(
  { records }: Deps,
  filter: ReceiptFilter,
  page: { readonly limit: number; readonly before?: string | undefined; readonly signal?: AbortSignal },
): Promise<{ receipts: readonly ReceiptEntry[]; next: string | undefined }> {
  const { found, next } = await scanWithBudget(page, async (step) => {
    const { receipts, next } = await records.receipts.page({ ...filter, ...step });
    return { found: receipts, next };
  });
  return { receipts: found.map(toEntry), next };
}

export async function getReceipt({ records }: Deps, answerId: string): Promise<ReceiptEntry> {
  const found = await records.receipts.find(answerId);
  if (found === undefined) throw new PortcullisError("not-found", "This service issued no receipt with this id.");
  return toEntry(found);
}

function toEntry({ body, ...rest }: RecordedReceipt): ReceiptEntry {
  return { receipt: JSON.parse(body) as AnswerReceipt, ...rest };
}
