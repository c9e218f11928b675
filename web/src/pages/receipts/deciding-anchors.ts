import type { Reply } from "#contract/routes.ts";

type ReceiptEntry = Reply<"getReceipt">;

/**
 * The anchors that say something about the answer: those that claim what it used and nothing else. Anybody may anchor the
 * same receipt again with further claims, and that is about these claims. Without such an anchor, all of them.
 */
export function decidingAnchors({ receipt, chain }: Pick<ReceiptEntry, "receipt" | "chain">): ReceiptEntry["chain"] {
  const used = new Set(receipt.usedMemories.map(({ namespace }) => namespace));
  const own = chain.filter(
    ({ claimed }) => claimed.length === used.size && claimed.every((namespace) => used.has(namespace)),
  );
  return own.length > 0 ? own : chain;
}
