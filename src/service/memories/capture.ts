import { digestHex } from "#core/encoding/digest.ts";
import { type Fact, factBytes, type Memory } from "#core/memory.ts";
import type { BlobLease, MemoryOnRecord } from "#ports.ts";
import { callerOf, decisionOf } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { sealIfSealed } from "#service/sealing/seal-fact.ts";
import { leaseFor } from "./blob-lease.ts";
import { type Lifetime, lifeOf } from "./lifetime.ts";
import { checkSupersedable } from "./removal/removable-memory.ts";

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
  const { memory, lease } = await storeFact(deps, draft, life);
  const { memoryId } = memory;
  const decision = decisionOf(deps, {
    outcome: "captured",
    memoryId,
    agentId: callerOf(deps),
    namespace: draft.namespace,
  });
  const recorded = await deps.records.memories.add({ ...memory, ...life }, lease, decision);
  if (recorded.memoryId === memory.memoryId) deps.gatekeeper.wake();
  return recorded;
}

/** Stores the blob, and returns the memory that is to be recorded. In a sealed namespace both hold ciphertext. */
export async function storeFact(
  deps: Deps,
  fact: Fact,
  { key }: Pick<Memory, "key"> = {},
): Promise<{ memory: MemoryOnRecord; lease: BlobLease | undefined }> {
  const { namespace, content, sourceAgent } = fact;
  const memoryId = deps.newId("mem");
  const sealed = await sealIfSealed(deps, fact, { memoryId, ...(key !== undefined && { key }) });
  const bytes = sealed === undefined ? factBytes(fact) : new TextEncoder().encode(sealed.text);
  const stored = await deps.blobs.put(bytes);
  const contentDigest = digestHex(bytes);
  const createdAt = deps.now().toISOString();
  const text = sealed?.text ?? content;
  const recorded = {
    memoryId,
    storeRef: stored.blobId,
    namespace,
    content: text,
    sourceAgent,
    createdAt,
    contentDigest,
  };
  return {
    memory: sealed === undefined ? recorded : { ...recorded, seal: sealed.seal },
    lease: leaseFor(stored, deps.blobs, createdAt),
  };
}
