import { expect, test } from "vitest";
import type { MemoryCounts, RecordStore } from "#ports.ts";
import { capture } from "#service/memories/capture.ts";
import { checkIndex } from "#service/operations/check-index.ts";
import { testDeps } from "#test/support/deps.ts";

const fact = (namespace: string) => ({ namespace, content: "text", sourceAgent: "s" });

/** Records that count otherwise. */
function counting(count: (real: RecordStore) => Promise<MemoryCounts>) {
  const { records } = testDeps();
  return testDeps({ records: { ...records, memories: { ...records.memories, counts: () => count(records) } } });
}

test("says what the index holds", async () => {
  const deps = testDeps();
  for (const namespace of ["a", "a", "b"]) await capture(deps, fact(namespace));
  expect(await checkIndex(deps)).toEqual({ memories: 3, namespaces: 2, policyVersion: 0, compared: true });
});

test("throws when a namespace has other memories on record than in the index", async () => {
  const none = new Map<string, number>();
  const deps = counting(async () => ({ byNamespace: new Map([["a", 2]]), bySourceAgent: none }));
  await capture(deps, fact("a"));
  await expect(checkIndex(deps)).rejects.toThrow(/in 1 namespaces .* npm run fsck/);
});

test("looks again when somebody wrote meanwhile", async () => {
  let writes = 0;
  const deps = counting(async (records) => {
    if (writes++ < 2) await capture(testDeps({ records, newId: () => `mem_late_${writes}` }), fact("a"));
    return records.memories.counts();
  });
  expect(await checkIndex(deps)).toEqual({ memories: 2, namespaces: 1, policyVersion: 0, compared: true });
  expect(writes).toBe(3);
});

test("says that it could not compare when somebody writes all the time", async () => {
  let writes = 0;
  const deps = counting(async (records) => {
    await capture(testDeps({ records, newId: () => `mem_late_${++writes}` }), fact("a"));
    return records.memories.counts();
  });
  expect(await checkIndex(deps)).toMatchObject({ compared: false });
});
