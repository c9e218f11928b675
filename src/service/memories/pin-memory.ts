import { PortcullisError } from "#core/errors.ts";
import type { Memory } from "#core/memory.ts";
import { maxPinned } from "#core/recall/pins.ts";
import type { Deps } from "#service/deps.ts";

/** Pins or unpins a memory. `by` is recorded: whoever pins a memory puts it into every prompt that may have it. */
export async function pinMemory(
  { records, recallLimit, now }: Deps,
  { memoryId, pinned }: { readonly memoryId: string; readonly pinned: boolean },
  by: string,
): Promise<Memory> {
  const limit = maxPinned(recallLimit);
  const outcome = await records.memories.setPinned({ memoryId, pinned, limit }, { by, at: now().toISOString() });
  switch (outcome.kind) {
    case "set":
      return outcome.memory;
    case "full":
      throw new PortcullisError(
        "too-many-pinned",
        `This namespace has as many pinned memories as it can have: ${limit}, half of RECALL_LIMIT. Unpin another one first, or raise RECALL_LIMIT.`,
      );
    case "not-found":
      throw new PortcullisError("not-found", "There is no memory with this id.");
  }
}
