// Forgetting: final when it is acknowledged, as a revoke is. A signed tombstone stays.
import type { Principal } from "#core/identity/principal.ts";
import type { Signature } from "#core/receipt/receipt.ts";
import { type Tombstone, tombstoneBytes } from "#core/tombstone.ts";
import type { Forgotten } from "#ports.ts";
import { callerOf, decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { mayRemove, notFound } from "./removable-memory.ts";

export interface SignedTombstone extends Tombstone {
  readonly signature: Signature;
}

export interface ForgottenMemory {
  readonly tombstone: SignedTombstone;
  /** How many anchored receipts quote it in public. */
  readonly anchoredReceipts: number;
  /** The blob store keeps the public blob until then at the earliest. Absent when there is none any more. */
  readonly publicUntil?: string;
}

/** Forgets a memory, or answers with the tombstone of one that is forgotten. */
export async function forgetMemory(
  deps: Deps,
  { memoryId, reason }: { readonly memoryId: string; readonly reason?: string | undefined },
  principal: Principal,
): Promise<ForgottenMemory> {
  // Also one that cannot be opened, or that has expired.
  const memory = await deps.records.memories.findRemovable({ memoryId });
  if (memory === undefined) return forgottenBefore(deps, memoryId, principal);
  if (!mayRemove(principal, memory)) throw notFound();
  const lease = await deps.records.leases.find(memory.storeRef);
  const { namespace } = memory;
  const [forgotten] = await forgetAll(deps, { memoryIds: [memoryId], namespace, reason }, principal);
  // Somebody else was faster.
  if (forgotten === undefined) return forgottenBefore(deps, memoryId, principal);
  const { tombstone, anchoredReceipts } = forgotten;
  return {
    tombstone: await signed(deps, tombstone),
    anchoredReceipts,
    ...(lease?.endsAt !== undefined && { publicUntil: lease.endsAt }),
  };
}

interface Asked {
  readonly memoryIds: readonly string[];
  /** When all of them are in one. */
  readonly namespace?: string | undefined;
  readonly reason?: string | undefined;
}

/** Forgets these memories, 500 at most, whose removal the caller may ask for. */
export async function forgetAll(
  deps: Deps,
  { memoryIds, namespace, reason }: Asked,
  principal: Principal,
): Promise<readonly Forgotten[]> {
  const [only] = memoryIds.length === 1 ? memoryIds : [];
  const decision = decisionOf(deps, {
    outcome: "changed",
    memoryId: only,
    agentId: callerOf(deps),
    namespace,
    details: { cause: "forgotten", memories: memoryIds.length },
  });
  const stamp = { by: principal.name, at: deps.now().toISOString(), decision };
  const forgetting = { memoryIds, cause: "forgotten" as const, ...(reason !== undefined && { reason }) };
  const forgotten = await deps.records.memories.forget(forgetting, stamp);
  deps.blobs.dropCache?.();
  deps.gatekeeper.wake();
  return forgotten;
}

async function forgottenBefore(deps: Deps, memoryId: string, principal: Principal): Promise<ForgottenMemory> {
  const found = await deps.records.memories.tombstone(memoryId);
  if (found === undefined) throw notFound();
  const { tombstone, sourceAgent, anchoredReceipts } = found;
  if (!mayRemove(principal, { namespace: tombstone.namespace, sourceAgent })) throw notFound();
  return { tombstone: await signed(deps, tombstone), anchoredReceipts };
}

/** Signed when it is given, with the key of receipts. A reset leaves a million of them. */
export async function signed({ signer }: Pick<Deps, "signer">, tombstone: Tombstone): Promise<SignedTombstone> {
  return { ...tombstone, signature: await signer.signBytes(tombstoneBytes(tombstone)) };
}
