// The history of an item. A put of another value supersedes the memory before, which stays on record.
import type { Memory } from "#core/memory.ts";
import type { MemoryReader } from "./memory-reader.ts";

/** The memories whose place this one took, the last one first. */
export async function earlierVersions(reader: MemoryReader, memory: Memory): Promise<Memory[]> {
  if (memory.supersedes === undefined) return [];
  const { namespace, sourceAgent } = memory;
  const history = await reader.list({ namespace, sourceAgent, superseded: "true" });
  const byId = new Map(history.map((each) => [each.memoryId, each]));
  const versions: Memory[] = [];
  for (let id: string | undefined = memory.supersedes; id !== undefined; ) {
    const version = byId.get(id);
    // Each comes once: history that somebody changed could have a cycle.
    byId.delete(id);
    if (version !== undefined) versions.push(version);
    id = version?.supersedes;
  }
  return versions;
}
