// The fence of an anchor. An anchored receipt is public, and so are the memories that it names: so each step that
// publishes something of it runs behind the fence, as the bytes of an answer do.
import { NEVER_ABORTS } from "#async/never-aborts.ts";
import { divide } from "#core/gate/gate.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { FencedAction } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

/** Runs what publishes, while the caller may publish it. Rejects without running it when the caller may not. */
export type PublicationFence = (publish: FencedAction) => Promise<void>;

/** Rejects when the caller may not publish the receipt now. An agent publishes what it may use; an admin, everything. */
export async function publicationFence(
  { gatekeeper, records }: Pick<Deps, "gatekeeper" | "records">,
  { usedMemories }: ForeignReceipt,
  principal: Principal,
): Promise<PublicationFence> {
  const namespaces = [...new Set(usedMemories.map(({ namespace }) => namespace))];
  if (principal.role !== "agent" || namespaces.length === 0) return async (publish) => publish(NEVER_ABORTS);
  const { agentId } = principal;
  // Taken before the check: the fence checks each namespace when the version has changed since.
  const { version: policyVersion } = await gatekeeper.policy();
  if (divide(agentId, namespaces, await gatekeeper.policyOf(agentId)).blocked.length > 0) throw mayNotUse();
  const readSet = { agentId, policyVersion, namespaces };
  return async (publish) => {
    if (!(await records.policy.passFence(readSet, publish))) throw mayNotUse();
  };
}

const mayNotUse = () =>
  forbidden("The receipt uses namespaces that this agent may not use any more. An admin can anchor it.");
