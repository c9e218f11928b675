// Pages of memories and receipts are compared with a naive filter over everything, for random records, filters and
// sizes.
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter } from "#ports.ts";
import { runs } from "#test/support/runs.ts";
import {
  AT,
  anchorOf,
  at,
  memory,
  memoryFilters,
  memoryPasses,
  newMemory,
  pageSizes,
  randomMemory,
  randomReceipt,
  receipt,
  receiptFilters,
  receiptPasses,
  STATUSES,
} from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const RUNS = { numRuns: runs(60) };

export function pageSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  async function walkMemories(filter: MemoryFilter, page: { limit: number; scan?: number }): Promise<Memory[]> {
    const walked: Memory[] = [];
    for (let next: number | undefined = 2 ** 40; next !== undefined; ) {
      const found = await store.records.memories.page({ ...filter, ...page, before: next });
      expect(found.memories.length).toBeLessThanOrEqual(page.limit);
      expect(found.next ?? 0).toBeLessThan(next);
      walked.push(...found.memories);
      next = found.next;
    }
    return walked;
  }

  test("pages of memories go from the newest to the oldest", async () => {
    const { memories } = store.records;
    await Promise.all(["1", "2", "3", "4", "5"].map((content) => memories.add(newMemory(content))));
    const first = await memories.page({ limit: 2 });
    expect(first.memories.map(({ content }) => content)).toEqual(["5", "4"]);
    const second = await memories.page({ limit: 2, before: first.next ?? 0 });
    expect(second.memories.map(({ content }) => content)).toEqual(["3", "2"]);
    const third = await memories.page({ limit: 2, before: second.next ?? 0 });
    expect(third.memories.map(({ content }) => content)).toEqual(["1"]);
    expect(third.next).toBeUndefined();
  });

  test("pages filtered by namespace, source agent and text have every matching memory once", async () => {
    const captured = Array.from({ length: 120 }, (_, i) => randomMemory(i));
    for (const each of captured) await store.records.memories.add(each);
    await fc.assert(
      fc.asyncProperty(memoryFilters, pageSizes, async (filter, page) => {
        const expected = captured.filter((each) => memoryPasses(each, filter)).reverse();
        expect(await walkMemories(filter, page)).toEqual(expected);
      }),
      RUNS,
    );
  });

  test("text matches literally, except for the case of ASCII letters", async () => {
    const { memories } = store.records;
    const contents = ["50% off", "50 off", "a_b", "aXb", "back\\slash", "Éclair", "éclair", "STRASSE", "straße", "'\""];
    for (const [i, content] of contents.entries()) await memories.add(memory(i, { content }));
    const found = async (contains: string) =>
      (await memories.page({ contains, limit: 100 })).memories.map(({ content }) => content);
    expect(await found("50%")).toEqual(["50% off"]);
    expect(await found("A_B")).toEqual(["a_b"]);
    expect(await found("K\\S")).toEqual(["back\\slash"]);
    expect(await found("écl")).toEqual(["éclair"]);
    expect(await found("ÉCL")).toEqual(["Éclair"]);
    expect(await found("CLAIR")).toEqual(["éclair", "Éclair"]);
    expect(await found("stra")).toEqual(["straße", "STRASSE"]);
    expect(await found("strasse")).toEqual(["STRASSE"]);
    expect(await found("'\"")).toEqual(["'\""]);
  });

  test("a page looks at no more memories than its scan budget, and says where the next one begins", async () => {
    const { memories } = store.records;
    for (let i = 0; i < 50; i++) await memories.add(memory(i, { content: i === 3 ? "needle" : "hay" }));
    const first = await memories.page({ contains: "needle", limit: 10, scan: 20 });
    expect(first.memories).toEqual([]);
    expect(first.next).toBeDefined();
    const found = await walkMemories({ contains: "needle" }, { limit: 10, scan: 20 });
    expect(found.map(({ memoryId }) => memoryId)).toEqual([memory(3).memoryId]);
  });

  test("pages filtered by agent, namespace, anchor, verification and status have every matching receipt once", async () => {
    const { receipts, anchors } = store.records;
    const all = Array.from({ length: 90 }, (_, i) => ({ ...randomReceipt(i), status: at(STATUSES, i >> 2) }));
    // Not in the order of their ids, as when replicas with different clocks issue them.
    for (const { status, ...each } of all.toSorted((a, b) => (a.body < b.body ? -1 : 1))) {
      if (status === "issued") await receipts.add(each);
      else await receipts.begin(each);
      if (status === "broken-off") await receipts.breakOff({ ...each, at: AT, reason: "failed" });
    }
    const anchored = all.filter(({ status }, i) => status === "issued" && i % 3 === 0);
    for (const each of anchored) await anchors.add(anchorOf(each));
    await fc.assert(
      fc.asyncProperty(receiptFilters, pageSizes, async (filter, page) => {
        const expected = all
          .filter((each) => receiptPasses(each, anchored.includes(each), filter))
          .map(({ body }) => body)
          .reverse();
        const walked: string[] = [];
        for (let next: string | undefined = "b"; next !== undefined; ) {
          const found = await receipts.page({ ...filter, ...page, before: next });
          expect(found.receipts.length).toBeLessThanOrEqual(page.limit);
          expect((found.next ?? "") < next).toBe(true);
          walked.push(...found.receipts.map(({ body }) => body));
          next = found.next;
        }
        expect(walked).toEqual(expected);
      }),
      RUNS,
    );
  });

  test("a receipt is not found by a namespace that is only part of one of its namespaces", async () => {
    const { receipts } = store.records;
    await receipts.add(receipt(1, { namespaces: ['x"diet', "diet\\", "a,b"] }));
    const found = async (namespace: string) => (await receipts.page({ namespace, limit: 9 })).receipts.length;
    expect(await found("diet")).toBe(0);
    expect(await found("a")).toBe(0);
    expect(await found('x"diet')).toBe(1);
    expect(await found("diet\\")).toBe(1);
    expect(await found("a,b")).toBe(1);
  });
}
