// What a change in the middle of an answer took away: the difference between what the gate decided before and after it.
import type { GateEvent } from "#contract/client/answer-stream.ts";

export type PromptMemory = GateEvent["memories"][number];

export interface Withdrawal {
  readonly namespace: string;
  readonly memories: readonly PromptMemory[];
  /** The gate closed. Otherwise the memories were forgotten or replaced, or others took their places. */
  readonly isClosed: boolean;
}

/** By namespace, in the order of the first prompt. */
export function withdrawnBetween(before: GateEvent, now: GateEvent): readonly Withdrawal[] {
  const kept = new Set(now.memories.map(({ memoryId }) => memoryId));
  const closed = new Set(now.blockedNamespaces);
  const gone = Map.groupBy(
    before.memories.filter(({ memoryId }) => !kept.has(memoryId)),
    ({ namespace }) => namespace,
  );
  return [...gone].map(([namespace, memories]) => ({ namespace, memories, isClosed: closed.has(namespace) }));
}
