// The records of receipts, with what they record counted by its state.
import type { ReceiptRecords } from "#ports.ts";
import type { Observer } from "./call-outcome.ts";

export function measuredReceipts(receipts: ReceiptRecords, metrics: Observer): ReceiptRecords {
  return {
    ...receipts,
    async add(receipt, decision) {
      await receipts.add(receipt, decision);
      metrics.add("receipts", "issued");
    },
  };
}
