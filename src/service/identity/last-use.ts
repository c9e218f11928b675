// When keys were last used, to the minute. Written beside the requests: they neither wait for it nor fail with it.
import type { KeyRecords, StoredKey } from "#ports.ts";

const PRECISION_MS = 60_000;

/** Records a use of a key, unless one of the last minute is on record or being written. */
export function lastUseWriter(keys: Pick<KeyRecords, "used">): (key: StoredKey, now: Date) => void {
  const inFlight = new Set<string>();
  return ({ keyId, lastUsedAt }, now) => {
    const unlessAfter = new Date(now.getTime() - PRECISION_MS).toISOString();
    if (inFlight.has(keyId) || (lastUsedAt !== undefined && lastUsedAt > unlessAfter)) return;
    inFlight.add(keyId);
    keys
      .used(keyId, now.toISOString(), unlessAfter)
      .catch(() => undefined)
      .finally(() => inFlight.delete(keyId));
  };
}
