import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import { maxPinned } from "#core/recall/pins.ts";
import { decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { getMemory } from "./list-memories.ts";

/** Pins or unpins a memory. Who does is recorded: whoever pins a memory puts it into every prompt that may have it. */
export async function pinMemory(
  deps: Deps,
  { memoryId, pinned }: { readonly memoryId: string; readonly pinned: boolean },
  principal: Principal,
): Promise<Memory> {
  const { records, recallLimit, now } = deps;
  // A memory's namespace never changes, so that it may be checked first.
  if (principal.role !== "admin") await getMemory(deps, principal, memoryId);
  const limit = maxPinned(recallLimit);
  const outcome = await records.memories.setPinned(
    { memoryId, pinned, limit },
    { by: principal.name, at: now().toISOString(), decision: decisionOf(deps, { outcome: "changed", memoryId }) },
  );
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
