// A search in text that the database cannot read: the page is read without the search, and what matches is kept.
import { setImmediate as nextTurn } from "node:timers/promises";
import { foldAscii } from "#adapters/records/shared/memories/memory-pages.ts";
import { UNLIMITED } from "#adapters/records/shared/paging.ts";
import type { MemoryFilter, MemoryOnRecord, MemoryPage, MemoryRecords, PageOf } from "#ports.ts";

type Query = PageOf<number> & MemoryFilter;

/** How many memories are read and opened in one turn of the event loop. */
const STEP = 125;

export async function searchedPage(
  memories: Pick<MemoryRecords, "page">,
  query: Query,
  contains: string,
  open: (found: readonly MemoryOnRecord[]) => Promise<readonly MemoryOnRecord[]>,
): Promise<MemoryPage> {
  const { contains: _, limit, bytes = UNLIMITED, before: first, scan: budget = UNLIMITED, ...rest } = query;
  const folded = foldAscii(contains);
  const found: MemoryOnRecord[] = [];
  let before = first;
  let weight = 0;
  for (let left = budget; ; left -= STEP) {
    const scan = Math.min(STEP, left);
    const from = { ...rest, ...(before !== undefined && { before }), scan };
    const page = await memories.page({ ...from, limit: scan });
    const opened = new Map((await open(page.memories)).map((memory) => [memory.memoryId, memory]));
    const matching = page.memories.flatMap(({ memoryId }, i) => {
      const memory = opened.get(memoryId);
      return memory !== undefined && foldAscii(memory.content).includes(folded) ? { memory, read: i + 1 } : [];
    });
    let read = 0;
    let kept = 0;
    for (const { memory, read: position } of matching) {
      weight += weightOf(memory);
      if (found.length > 0 && (found.length >= limit || weight > bytes)) break;
      found.push(memory);
      kept += 1;
      read = position;
    }
    if (kept < matching.length) {
      // A page read up to the last one that is kept says where the next one begins.
      if (read === 0) return before === undefined ? { memories: found } : { memories: found, next: before };
      const { next } = await memories.page({ ...from, limit: read });
      return next === undefined ? { memories: found } : { memories: found, next };
    }
    before = page.next;
    if (before === undefined) return { memories: found };
    if (left <= STEP || found.length >= limit) return { memories: found, next: before };
    await nextTurn();
  }
}

/** In bytes, as JSON. */
const weightOf = (memory: MemoryOnRecord): number => Buffer.byteLength(JSON.stringify(memory));
