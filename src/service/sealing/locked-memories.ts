import type { Deps } from "#service/deps.ts";

/** Whether memories, superseded ones included, are sealed with a key that is not here. */
export async function hasLocked({ records, cipher }: Pick<Deps, "records" | "cipher">): Promise<boolean> {
  const here = new Set(cipher.keyIds());
  return (await records.seals.keyIds()).some((keyId) => !here.has(keyId));
}
