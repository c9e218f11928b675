import type { MemoryCounts } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

/**
 * Cached memory counts: counting a million memories takes long, and every page of the app asks. Counts again only after
 * a memory was captured or forgotten. The counts may be newer than the position they are cached under, but not older.
 */
export function createMemoryCounter({ records, gatekeeper }: Pick<Deps, "records" | "gatekeeper">) {
  let cached: { readonly position: number; readonly counts: MemoryCounts } | undefined;

  return async (): Promise<MemoryCounts> => {
    await gatekeeper.catchUp();
    const { position } = gatekeeper.state();
    if (cached?.position === position) return cached.counts;
    const counts = await records.memories.counts();
    cached = { position, counts };
    return counts;
  };
}
