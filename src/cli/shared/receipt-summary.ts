import type { Reply } from "#contract/routes.ts";

type Receipt = NonNullable<Reply<"recall">["receipt"]>;

/** What an answer rests on, in a line. */
export function receiptSummary({ answerId, usedMemories, blockedNamespaces, blockedCount }: Receipt): string {
  const used = [...new Set(usedMemories.map(({ namespace }) => namespace))];
  const memories = usedMemories.length === 1 ? "1 memory" : `${usedMemories.length} memories`;
  const from = used.length === 0 ? "" : ` of ${used.join(", ")}`;
  const more = blockedCount === undefined ? "" : ` and more, ${blockedCount} in all`;
  const blocked = blockedNamespaces.length === 0 ? "nothing" : `${blockedNamespaces.join(", ")}${more}`;
  return `Receipt ${answerId}: used ${memories}${from}; blocked: ${blocked}.`;
}
