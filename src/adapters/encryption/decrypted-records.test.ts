import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MemoryOnRecord, MemoryRecords } from "#ports.ts";
import { matcherOf, searchedPage } from "./decrypted-records.ts";

const ALL = Array.from({ length: 1_000 }, (_, i) => memory(1_000 - i));

function memory(sequence: number): MemoryOnRecord {
  const names = { namespace: "n", sourceAgent: "s", storeRef: "", contentDigest: "", createdAt: "" };
  return { memoryId: `mem_${sequence}`, content: sequence % 100 === 0 ? "Needle" : "hay", ...names };
}

/** Newest first. The position of a page is the sequence that it ends at. */
function counted() {
  const reads: { readonly rows: number; readonly turn: number }[] = [];
  let turn = 0;
  const page: MemoryRecords["page"] = async ({ before = 1_001, limit }) => {
    reads.push({ rows: limit, turn });
    const from = 1_001 - before;
    const memories = ALL.slice(from, from + limit);
    return from + limit < ALL.length ? { memories, next: 1_001 - from - limit } : { memories };
  };
  async function turnsDuring<T>(job: Promise<T>): Promise<T> {
    let isDone = false;
    const ended = job.finally(() => {
      isDone = true;
    });
    for (; !isDone; turn++) await nextTurn();
    return ended;
  }
  return { memories: { page }, reads, turnsDuring };
}

const decrypt = async (found: readonly MemoryOnRecord[]) => found;
const ids = (found: readonly MemoryOnRecord[]) => found.map(({ memoryId }) => memoryId);

test("a search reads few memories in one turn of the event loop, and as many as its budget says", async () => {
  const { memories, reads, turnsDuring } = counted();
  const page = await turnsDuring(
    searchedPage(memories, { limit: 100, scan: 500 }, matcherOf({ contains: "needle" }), decrypt),
  );
  expect(page.next).toBe(501);
  expect(ids(page.memories)).toEqual(["mem_1000", "mem_900", "mem_800", "mem_700", "mem_600"]);
  expect(reads.reduce((sum, { rows }) => sum + rows, 0)).toBe(500);
  expect(Math.max(...reads.map(({ rows }) => rows))).toBeLessThanOrEqual(125);
  expect(new Set(reads.map(({ turn }) => turn)).size).toBe(reads.length);
});

test("a page that is full by number or by size says where the next one begins, and no memory is lost", async () => {
  const { memories } = counted();
  for (const bounds of [{ limit: 1 }, { limit: 3 }, { limit: 9, bytes: 1 }, { limit: 9, bytes: 250 }]) {
    const found: string[] = [];
    let before: number | undefined;
    do {
      const page = await searchedPage(
        memories,
        { ...bounds, ...(before && { before }) },
        matcherOf({ contains: "needle" }),
        decrypt,
      );
      expect(page.memories.length).toBeLessThanOrEqual(bounds.limit);
      found.push(...ids(page.memories));
      before = page.next;
    } while (before !== undefined);
    expect(found).toEqual(ids(ALL.filter(({ content }) => content === "Needle")));
  }
});
