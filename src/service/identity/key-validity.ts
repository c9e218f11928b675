import type { StoredKey } from "#ports.ts";
import { isSameHash } from "./key-hash.ts";

/** Whether a key with this hash is good now. The records decide the same in `endedAmong`. */
export function accepts(key: StoredKey, keyHash: string, now: Date): boolean {
  const at = now.toISOString();
  if (key.revokedAt !== undefined || (key.expiresAt !== undefined && key.expiresAt <= at)) return false;
  const { previousHash, previousEndsAt } = key;
  // Both are compared, whatever the first says, so that the time does not tell which secret it is.
  const isCurrent = isSameHash(key.keyHash, keyHash);
  const isPrevious = previousHash !== undefined && isSameHash(previousHash, keyHash);
  return isCurrent || (isPrevious && previousEndsAt !== undefined && previousEndsAt > at);
}
