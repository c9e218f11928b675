// The fence of an anchor. An anchored receipt is public, and so are the memories that it names: so each step that
// publishes something of it runs behind the fence, as the bytes of an answer do.
import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { PortcullisError } from "#core/errors.ts";
import { divide } from "#core/gate/gate.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ForeignReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import type { FencedAction } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import type { FenceState } from "#service/recall/index-follower.ts";

/** Runs what publishes, while the caller may publish it. Rejects without running it when the caller may not. */
export type PublicationFence = (publish: FencedAction) => Promise<void>;

interface Publication {
  readonly receipt: ForeignReceipt;
  /** Taken before the receipt was read: the fence looks closer when the state has changed since. */
  readonly state: FenceState;
  /** It was issued here, and quotes memories: they must not be forgotten meanwhile. */
  readonly isQuoting: boolean;
}

/** Rejects when the caller may not publish the receipt now. An agent publishes what it may use; an admin, everything. */
export async function publicationFence(
  { gatekeeper, records }: Pick<Deps, "gatekeeper" | "records">,
  { receipt, state, isQuoting }: Publication,
  principal: Principal,
): Promise<PublicationFence> {
  const agentId = principal.role === "agent" ? principal.agentId : "";
  const used = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))];
  const namespaces = principal.role === "agent" ? used : [];
  const quoted = receipt.usedMemories as readonly Partial<Pick<UsedMemory, "memoryId">>[];
  const memoryIds = isQuoting ? [...new Set(quoted.flatMap(({ memoryId }) => memoryId ?? []))] : [];
  if (namespaces.length === 0 && memoryIds.length === 0) return async (publish) => publish(NEVER_ABORTS);
  if (divide(agentId, namespaces, await gatekeeper.policyOf(agentId)).blocked.length > 0) throw mayNotUse();
  const readSet = { agentId, ...state, namespaces, memoryIds, allowsSuperseded: true };
  return async (publish) => {
    if (await records.policy.passFence(readSet, publish)) return;
    const onRecord = await records.memories.findAll(memoryIds);
    throw onRecord.size < memoryIds.length ? memoryForgotten() : mayNotUse();
  };
}

export const memoryForgotten = () =>
  new PortcullisError(
    "memory-forgotten",
    "A memory that this receipt names was forgotten, or its namespace was sealed since. The receipt can be anchored sealed: send sealed: true.",
  );

const mayNotUse = () =>
  forbidden("The receipt uses namespaces that this agent may not use any more. An admin can anchor it.");
