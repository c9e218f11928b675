import { digestHex } from "#core/encoding/digest.ts";
import { type Fact, factBytes, type Memory } from "#core/memory.ts";
import type { BlobLease, MemoryOnRecord } from "#ports.ts";
import { callerOf, decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "./blob-lease.ts";
import { type Lifetime, lifeOf } from "./lifetime.ts";
import { checkSupersedable } from "./removable-memory.ts";

/** What a caller sends to be remembered, and for how long and in place of what. */
export type Draft = Fact & Lifetime;

/**
 * Stores the fact as a blob, then records it. A crash between the two leaves only a blob that nobody refers to. A fact
 * that the records would refuse for its names is not made public. A fact that is on record keeps its memory, and the
 * lease of its blob is renewed.
 */
export async function capture(deps: Deps, draft: Draft): Promise<Memory> {
  await deps.records.memories.checkNames(draft);
  await checkSupersedable(deps, draft);
  const life = await lifeOf(deps, draft);
  const { memory, lease } = await storeFact(deps, draft);
  const { memoryId } = memory;
  const decision = decisionOf(deps, { outcome: "captured", memoryId, agentId: callerOf(deps) });
  const recorded = await deps.records.memories.add({ ...memory, ...life }, lease, decision);
  if (recorded.memoryId === memory.memoryId) deps.gatekeeper.wake();
  return recorded;
}

/** Stores the blob, and returns the memory that is to be recorded. */
export async function storeFact(
  deps: Deps,
  fact: Fact,
): Promise<{ memory: MemoryOnRecord; lease: BlobLease | undefined }> {
  const { namespace, content, sourceAgent } = fact;
  const bytes = factBytes(fact);
  const stored = await deps.blobs.put(bytes);
  const contentDigest = digestHex(bytes);
  const createdAt = deps.now().toISOString();
  const ids = { memoryId: deps.newId("mem"), storeRef: stored.blobId };
  return {
    memory: { ...ids, namespace, content, sourceAgent, createdAt, contentDigest },
    lease: leaseFor(stored, deps.blobs, createdAt),
  };
}
