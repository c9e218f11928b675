// The records of receipts, with seeds that were sealed opened. Without the key a receipt has no seed.
import type { MemoryCipher, ReceiptRecords, RecordedReceipt } from "#ports.ts";

export function openedReceipts(receipts: ReceiptRecords, cipher: Pick<MemoryCipher, "openSeed">): ReceiptRecords {
  async function open(receipt: RecordedReceipt): Promise<RecordedReceipt> {
    const { seed, ...rest } = receipt;
    if (seed === undefined || !isSealed(seed)) return receipt;
    const { answerId } = JSON.parse(receipt.body) as { readonly answerId: string };
    const opened = await cipher.openSeed(answerId, seed);
    return opened === undefined ? rest : { ...rest, seed: opened };
  }

  return {
    ...receipts,
    async find(answerId) {
      const receipt = await receipts.find(answerId);
      return receipt && open(receipt);
    },
    async page(query) {
      const page = await receipts.page(query);
      return { ...page, receipts: await Promise.all(page.receipts.map(open)) };
    },
  };
}

const isSealed = (seed: string): boolean => !/^[0-9a-f]*$/.test(seed);
