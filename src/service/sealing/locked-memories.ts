import type { Deps } from "#service/deps.ts";

/** How many memories, superseded ones included, are sealed with a key that is not here. */
export async function countLocked({ records, cipher }: Pick<Deps, "records" | "cipher">): Promise<number> {
  const keyIds = new Set(cipher.keyIds());
  let locked = 0;
  for (const [keyId, count] of await records.seals.counts()) if (!keyIds.has(keyId)) locked += count;
  return locked;
}
