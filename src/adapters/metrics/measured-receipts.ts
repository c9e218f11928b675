// The records of receipts, with what becomes of receipts counted.
import type { ReceiptRecords } from "#ports.ts";
import type { Observer } from "./call-outcome.ts";

export function measuredReceipts(receipts: ReceiptRecords, metrics: Observer): ReceiptRecords {
  return {
    ...receipts,
    async open(receipt) {
      await receipts.open(receipt);
      metrics.add("receipts", "opened");
    },
    async add(receipt, decision) {
      await receipts.add(receipt, decision);
      metrics.add("receipts", "issued");
    },
    async breakOff(broken) {
      await receipts.breakOff(broken);
      metrics.add("receipts", "broken-off");
    },
    async abandon(openedBefore) {
      const count = await receipts.abandon(openedBefore);
      for (let i = 0; i < count; i++) metrics.add("receipts", "broken-off");
      return count;
    },
  };
}
