// A search in text that the database cannot read: the page is read without the search, and what matches is kept.
import { foldAscii } from "#adapters/records/shared/memories/memory-pages.ts";
import { countFitting } from "#core/count-fitting.ts";
import type { MemoryFilter, MemoryOnRecord, MemoryPage, MemoryRecords, PageOf } from "#ports.ts";

type Query = PageOf<number> & MemoryFilter;

/** How many memories one read takes when the caller has no scan budget. */
const STEP = 500;

export async function searchedPage(
  memories: Pick<MemoryRecords, "page">,
  query: Query,
  contains: string,
  open: (found: readonly MemoryOnRecord[]) => Promise<readonly MemoryOnRecord[]>,
): Promise<MemoryPage> {
  const { contains: _, limit, bytes, before: first, ...rest } = query;
  const folded = foldAscii(contains);
  const found: MemoryOnRecord[] = [];
  let before = first;
  do {
    const from = before === undefined ? rest : { ...rest, before };
    const page = await memories.page({ ...from, limit: rest.scan ?? STEP });
    const opened = new Map((await open(page.memories)).map((memory) => [memory.memoryId, memory]));
    const matching = page.memories.flatMap(({ memoryId }, i) => {
      const memory = opened.get(memoryId);
      return memory !== undefined && foldAscii(memory.content).includes(folded) ? { memory, read: i + 1 } : [];
    });
    const room = matching.slice(0, limit - found.length);
    const kept = room.slice(
      0,
      countFitting([...found, ...room.map(({ memory }) => memory)].map(weightOf), bytes) - found.length,
    );
    found.push(...kept.map(({ memory }) => memory));
    if (kept.length < matching.length) {
      // A page read up to the last one that is kept says where the next one begins.
      const read = kept.at(-1)?.read ?? 0;
      if (read === 0) return before === undefined ? { memories: found } : { memories: found, next: before };
      const { next } = await memories.page({ ...from, limit: read });
      return next === undefined ? { memories: found } : { memories: found, next };
    }
    before = page.next;
  } while (before !== undefined && rest.scan === undefined && found.length < limit);
  return before === undefined ? { memories: found } : { memories: found, next: before };
}

/** In bytes, as JSON. */
const weightOf = (memory: MemoryOnRecord): number => Buffer.byteLength(JSON.stringify(memory));
