// Sums up receipts: which namespaces an agent used, with how many memories, in how many answers.
import type { Reply } from "#contract/routes.ts";

type Entry = Pick<Reply<"listReceipts">["receipts"][number], "receipt">;

interface UsedNamespace {
  readonly namespace: string;
  /** Each memory counts once, however often it was given. */
  readonly memories: number;
  readonly answers: number;
}

/** The one with most answers first. */
export function usedNamespaces(entries: readonly Entry[]): UsedNamespace[] {
  const found = new Map<string, { memories: Set<string>; answers: Set<string> }>();
  for (const { receipt } of entries) {
    for (const { namespace, memoryId } of receipt.usedMemories) {
      const { memories, answers } = found.get(namespace) ?? { memories: new Set<string>(), answers: new Set<string>() };
      memories.add(memoryId);
      answers.add(receipt.answerId);
      found.set(namespace, { memories, answers });
    }
  }
  return [...found]
    .map(([namespace, { memories, answers }]) => ({ namespace, memories: memories.size, answers: answers.size }))
    .sort((a, b) => b.answers - a.answers || b.memories - a.memories || a.namespace.localeCompare(b.namespace));
}
