import type { Memory } from "#core/memory.ts";
import type { ReadSet } from "#ports.ts";
import type { FenceState } from "#service/recall/index-follower.ts";

/** What the fence must find unchanged of these memories, which were read in this state or a later one. */
export function readSetOf(
  { policyVersion, removals }: FenceState,
  memories: readonly Pick<Memory, "memoryId" | "namespace" | "expiresAt">[],
): Omit<ReadSet, "agentId"> {
  return {
    policyVersion,
    removals,
    namespaces: [...new Set(memories.map(({ namespace }) => namespace))],
    memoryIds: [...new Set(memories.map(({ memoryId }) => memoryId))],
    expiresAt: firstExpiry(memories),
  };
}

function firstExpiry(memories: readonly Pick<Memory, "expiresAt">[]): string | undefined {
  let first: string | undefined;
  for (const { expiresAt } of memories)
    if (expiresAt !== undefined && (first === undefined || expiresAt < first)) first = expiresAt;
  return first;
}
