import { expect, test } from "vitest";
import type { MemoryCounts, RecordStore } from "#ports.ts";
import { capture } from "#service/memories/capture.ts";
import { checkIndex } from "#service/recall/memory-index.ts";
import { testDeps } from "#test/support/deps.ts";

let facts = 0;
/** Each is another fact: the same one would be the same memory. */
const fact = (namespace: string) => ({ namespace, content: `text ${++facts}`, sourceAgent: "s" });

/** Tenant whose records count memories with `count`. */
function depsCounting(count: (real: RecordStore) => Promise<MemoryCounts>) {
  const { records } = testDeps();
  return testDeps({ records: { ...records, memories: { ...records.memories, counts: () => count(records) } } });
}

test("reports how many memories and namespaces the index holds", async () => {
  const deps = testDeps();
  for (const namespace of ["a", "a", "b"]) await capture(deps, fact(namespace));
  expect(await checkIndex(deps)).toEqual({ memories: 3, namespaces: 2, policyVersion: 0, compared: true });
});

test("rejects if a namespace has other memories on record than in the index", async () => {
  const none = new Map<string, number>();
  const deps = depsCounting(async () => ({ byNamespace: new Map([["a", 2]]), bySourceAgent: none, sourceAgents: 0 }));
  await capture(deps, fact("a"));
  await expect(checkIndex(deps)).rejects.toThrow(/history: 1\. .* portcullis fsck/);
});

test("compares again if another process wrote in between", async () => {
  let writes = 0;
  const deps = depsCounting(async (records) => {
    if (writes++ < 2) await capture(testDeps({ records, newId: () => `mem_late_${writes}` }), fact("a"));
    return records.memories.counts();
  });
  expect(await checkIndex(deps)).toEqual({ memories: 2, namespaces: 1, policyVersion: 0, compared: true });
  expect(writes).toBe(3);
});

test("reports that it could not compare if another process writes all the time", async () => {
  let writes = 0;
  const deps = depsCounting(async (records) => {
    await capture(testDeps({ records, newId: () => `mem_late_${++writes}` }), fact("a"));
    return records.memories.counts();
  });
  expect(await checkIndex(deps)).toMatchObject({ compared: false });
});
