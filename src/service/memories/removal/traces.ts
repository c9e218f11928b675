// What can be read of a memory beside its text: its tombstone, and the answers that were given it.
import { governs, mayRead } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { UsePage } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { type SignedTombstone, signed } from "./forget.ts";
import { notFound } from "./removable-memory.ts";

/**
 * For anyone, when an anchored receipt names the memory: a verifier needs it. Else for those who may read the namespace.
 * What an agent gets must leave behind the fence.
 */
export async function getTombstone(
  deps: Deps,
  principal: Principal,
  memoryId: string,
): Promise<{ readonly tombstone: SignedTombstone; readonly isPublic: boolean }> {
  const found = await deps.records.memories.tombstone(memoryId);
  const policy = principal.role === "agent" ? await deps.gatekeeper.policyOf(principal.agentId) : undefined;
  if (found === undefined) throw notFound();
  const { tombstone, isNamedInPublic } = found;
  if (!isNamedInPublic && !mayRead(principal, tombstone.namespace, policy)) throw notFound();
  return { tombstone: await signed(deps, tombstone), isPublic: isNamedInPublic };
}

/** For the service's own verifier. */
export async function publicTombstone(
  deps: Pick<Deps, "records" | "signer">,
  memoryId: string,
): Promise<SignedTombstone | undefined> {
  const found = await deps.records.memories.tombstone(memoryId);
  return found?.isNamedInPublic ? signed(deps, found.tombstone) : undefined;
}

/** The answers that were given this memory, newest first. Ids and names only. */
export async function listUses(
  { stored }: Deps,
  principal: Principal,
  memoryId: string,
  page: { readonly limit: number; readonly before?: string | undefined },
): Promise<UsePage> {
  const { memories } = stored;
  const memory = await memories.find(memoryId);
  const namespace = memory?.namespace ?? (await memories.tombstone(memoryId))?.tombstone.namespace;
  const isReadable = namespace !== undefined && (principal.role === "auditor" || governs(principal, namespace));
  if (!isReadable) throw notFound();
  const { limit, before } = page;
  return memories.uses(memoryId, { limit, ...(before !== undefined && { before }) });
}
