import type { Memory } from "../core/memory.ts";
import type { MemoryPage } from "../ports.ts";
import type { Deps } from "./deps.ts";

const PAGE = 500;

export function listMemories({ records }: Deps, page: { limit: number; before?: number }): Promise<MemoryPage> {
  return records.listMemories(page);
}

/** Every memory, newest first, read page by page so that any number of them takes little room. */
export async function* allMemories({ records }: Deps): AsyncGenerator<readonly Memory[]> {
  let page = await records.listMemories({ limit: PAGE });
  yield page.memories;
  while (page.next !== undefined) {
    page = await records.listMemories({ limit: PAGE, before: page.next });
    yield page.memories;
  }
}
