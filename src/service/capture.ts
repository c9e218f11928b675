import { digestHex } from "../core/digest.ts";
import { type Fact, factBytes, type Memory } from "../core/memory.ts";
import type { Deps } from "./deps.ts";

/** Stores the fact as a blob, then on record: a crash between the two leaves a blob nobody refers to, and no more. */
export async function capture(deps: Deps, fact: Fact): Promise<Memory> {
  const memory = await store(deps, fact);
  await deps.records.addMemory(memory);
  return memory;
}

/** The memory that a fact becomes once its blob is stored. Not on record yet. */
export async function store({ blobs, newId, now }: Deps, fact: Fact): Promise<Memory> {
  const { namespace, content, sourceAgent } = fact;
  const bytes = factBytes(fact);
  const storeRef = await blobs.put(bytes);
  const contentDigest = digestHex(bytes);
  const createdAt = now().toISOString();
  return { memoryId: newId("mem"), storeRef, namespace, content, sourceAgent, createdAt, contentDigest };
}
