import type { MemoryCounts, RecordStore } from "#ports.ts";
import type { Gatekeeper } from "#service/answers/gatekeeper.ts";

export type CountMemories = () => Promise<MemoryCounts>;

/**
 * Cached memory counts: counting a million memories takes long, and every page of the app asks. Counts again only after
 * a memory was captured or forgotten. The counts may be newer than the position they are cached under, but not older.
 */
export function createMemoryCounter({
  records,
  gatekeeper,
}: {
  readonly records: Pick<RecordStore, "memories">;
  readonly gatekeeper: Pick<Gatekeeper, "catchUp" | "state">;
}): CountMemories {
  let cached: { readonly position: number; readonly counts: MemoryCounts } | undefined;

  return async () => {
    await gatekeeper.catchUp();
    const { position } = gatekeeper.state();
    if (cached?.position === position) return cached.counts;
    const counts = await records.memories.counts();
    cached = { position, counts };
    return counts;
  };
}
