import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { isComplete, type RecordedReceipt } from "#core/receipt/receipt.ts";
import type { RecordOf } from "#core/transfer/export-format.ts";
import type { RestoredReceipt } from "#ports.ts";
import { issuedReceiptOf, openedRecordOf } from "#service/receipts/receipts.ts";

/** The receipt with the columns that it is searched by. */
export function toRestoredReceipt({ receipt, reason, seed }: RecordOf<"receipt">): RestoredReceipt {
  const recorded = receipt as RecordedReceipt;
  const { blockedList, ...columns } = openedRecordOf(recorded, receipt.blockedNamespaces);
  return {
    ...columns,
    // As it was signed.
    body: canonicalJson(receipt),
    ...(blockedList && { blockedDigest: blockedList.digest }),
    ...(seed !== undefined && { seed }),
    ...(reason !== undefined && { reason }),
    ...(isComplete(recorded) && { counts: countsOf(issuedReceiptOf(recorded, receipt.blockedNamespaces)) }),
  };
}

function countsOf({
  used,
  verified,
  intact,
}: Pick<ReturnType<typeof issuedReceiptOf>, "used" | "verified" | "intact">) {
  return { used, verified, intact };
}
