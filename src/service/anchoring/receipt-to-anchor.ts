import type { ForeignReceipt, ReceiptToAnchor } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { getReceipt } from "#service/receipts/receipts.ts";

/** The given receipt, or the issued one with this id. Rejects with `not-found` when none was issued. */
export async function receiptToAnchor(deps: Deps, given: ReceiptToAnchor): Promise<ForeignReceipt> {
  return given.receipt ?? (await getReceipt(deps, given.answerId)).receipt;
}
