import type { Fact, Memory } from "#core/memory.ts";
import type { SealedFact } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

/** The encrypted blob of a fact in a sealed namespace; undefined in an open one. */
export async function sealIfSealed(
  { records, cipher }: Pick<Deps, "records" | "cipher">,
  fact: Fact,
  memory: Pick<Memory, "memoryId" | "key">,
): Promise<SealedFact | undefined> {
  const settings = await records.namespaces.find(fact.namespace);
  return settings?.sealed ? cipher.seal(fact, memory) : undefined;
}
