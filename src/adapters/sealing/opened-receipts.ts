// The records of receipts, with seeds and questions that were sealed opened. Without the key a receipt has none.
import type { KeptQuestion, MemoryCipher, ReceiptRecords, RecordedReceipt } from "#ports.ts";

type Cipher = Pick<MemoryCipher, "openSeed" | "openQuestion">;

export function openedReceipts(receipts: ReceiptRecords, cipher: Cipher): ReceiptRecords {
  async function open(receipt: RecordedReceipt): Promise<RecordedReceipt> {
    const { seed, question, ...rest } = receipt;
    const isSeedSealed = seed !== undefined && isSealed(seed);
    if (!isSeedSealed && question?.sealed !== true) return receipt;
    const { answerId } = JSON.parse(receipt.body) as { readonly answerId: string };
    const openedSeed = isSeedSealed ? await cipher.openSeed(answerId, seed) : seed;
    const openedQuestion = question && (await openQuestion(answerId, question, cipher));
    return {
      ...rest,
      ...(openedSeed !== undefined && { seed: openedSeed }),
      ...(openedQuestion !== undefined && { question: openedQuestion }),
    };
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

async function openQuestion(
  answerId: string,
  question: KeptQuestion,
  cipher: Cipher,
): Promise<KeptQuestion | undefined> {
  if (!question.sealed) return question;
  const text = await cipher.openQuestion(answerId, question.text);
  return text === undefined ? undefined : { text, sealed: false };
}
