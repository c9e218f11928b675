import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { getReceipt } from "#service/receipts/receipts.ts";

/** The caller has been checked: there is exactly one of the two. */
export interface ReceiptToAnchor {
  readonly receipt?: ForeignReceipt | undefined;
  /** Of a receipt that this service issued. */
  readonly answerId?: string | undefined;
}

/** The given receipt, or the issued one with this id. Rejects with `not-found` when none was issued. */
export async function receiptToAnchor(
  deps: Deps,
  { receipt, answerId = "" }: ReceiptToAnchor,
): Promise<ForeignReceipt> {
  return receipt ?? (await getReceipt(deps, answerId)).receipt;
}
