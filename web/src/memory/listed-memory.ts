// A memory of a list. One that is forgotten while the list shows it stays in its place, without its text, and says so.
import type { Reply } from "#contract/routes.ts";
import type { Memory } from "#core/memory.ts";
import { queryClient, queryKeys } from "#web/api/client.ts";
import { updateItems } from "#web/api/use-cursor-pages.ts";

/** The service's answer to whoever forgot it. Others know only that it is forgotten. */
export type Forgotten = Partial<Reply<"forgetMemory">>;

export interface ListedMemory extends Memory {
  readonly forgotten?: Forgotten;
}

/** Null once it is forgotten. */
export type MemoryReply = Reply<"getMemory"> | null;

export const memoryKey = (memoryId: string) => [...queryKeys.memories, "one", memoryId] as const;

export function markForgotten(forgotten: ReadonlyMap<string, Forgotten>): void {
  // The text is gone at once, and the page of the memory finds its tombstone.
  for (const memoryId of forgotten.keys()) {
    queryClient.setQueryData<MemoryReply>(memoryKey(memoryId), (before) => before && null);
  }
  updateItems<ListedMemory>(queryKeys.memories, (item) => {
    const known = forgotten.get(item.memoryId);
    if (known === undefined || item.forgotten?.tombstone !== undefined) return item;
    return { ...item, content: "", forgotten: known };
  });
}

/** The ids of memories, and of what took their places. */
export function markSuperseded(superseded: ReadonlyMap<string, string>): void {
  // Not fetched again: by now it may be forgotten, and the request would be refused.
  for (const [memoryId, supersededBy] of superseded) {
    queryClient.setQueryData<MemoryReply>(
      memoryKey(memoryId),
      (before) => before && { ...before, memory: { ...before.memory, supersededBy } },
    );
  }
  updateItems<ListedMemory>(queryKeys.memories, (item) => {
    const supersededBy = superseded.get(item.memoryId);
    return supersededBy === undefined ? item : { ...item, supersededBy };
  });
}
