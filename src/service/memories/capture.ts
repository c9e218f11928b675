import { digestHex } from "#core/encoding/digest.ts";
import { type Fact, factBytes, type Memory } from "#core/memory.ts";
import type { BlobLease } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { leaseFor } from "./blob-lease.ts";

/** Stores the fact as a blob, then on record: a crash between the two leaves a blob nobody refers to, and no more. */
export async function capture(deps: Deps, fact: Fact): Promise<Memory> {
  const { memory, lease } = await store(deps, fact);
  await deps.records.memories.add(memory, lease);
  return memory;
}

/** The memory that a fact becomes once its blob is stored. Not on record yet. */
export async function store(deps: Deps, fact: Fact): Promise<{ memory: Memory; lease: BlobLease | undefined }> {
  const { namespace, content, sourceAgent } = fact;
  const bytes = factBytes(fact);
  const stored = await deps.blobs.put(bytes);
  const contentDigest = digestHex(bytes);
  const createdAt = deps.now().toISOString();
  const ids = { memoryId: deps.newId("mem"), storeRef: stored.blobId };
  return {
    memory: { ...ids, namespace, content, sourceAgent, createdAt, contentDigest },
    lease: leaseFor(stored, createdAt),
  };
}
