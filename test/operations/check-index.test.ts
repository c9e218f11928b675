import { expect, test } from "vitest";
import type { MemoryCounts, RecordStore } from "#ports.ts";
import { capture } from "#service/memories/capture.ts";
import { checkIndex } from "#service/recall/memory-index.ts";
import { testTenant } from "#test/support/tenant.ts";

let facts = 0;
/** Each is another fact: the same one would be the same memory. */
const fact = (namespace: string) => ({ namespace, content: `text ${++facts}`, sourceAgent: "s" });

/** Tenant whose records count memories with `count`. */
function tenantCounting(count: (real: RecordStore) => Promise<MemoryCounts>) {
  const { records } = testTenant();
  return testTenant({ records: { ...records, memories: { ...records.memories, counts: () => count(records) } } });
}

test("reports how many memories and namespaces the index holds", async () => {
  const tenant = testTenant();
  for (const namespace of ["a", "a", "b"]) await capture(tenant, fact(namespace));
  expect(await checkIndex(tenant)).toEqual({ memories: 3, namespaces: 2, policyVersion: 0, compared: true });
});

test("rejects if a namespace has other memories on record than in the index", async () => {
  const none = new Map<string, number>();
  const tenant = tenantCounting(async () => ({
    byNamespace: new Map([["a", 2]]),
    bySourceAgent: none,
    sourceAgents: 0,
  }));
  await capture(tenant, fact("a"));
  await expect(checkIndex(tenant)).rejects.toThrow(/history: 1\. .* portcullis fsck/);
});

test("compares again if another process wrote in between", async () => {
  let writes = 0;
  const tenant = tenantCounting(async (records) => {
    if (writes++ < 2) await capture(testTenant({ records, newId: () => `mem_late_${writes}` }), fact("a"));
    return records.memories.counts();
  });
  expect(await checkIndex(tenant)).toEqual({ memories: 2, namespaces: 1, policyVersion: 0, compared: true });
  expect(writes).toBe(3);
});

test("reports that it could not compare if another process writes all the time", async () => {
  let writes = 0;
  const tenant = tenantCounting(async (records) => {
    await capture(testTenant({ records, newId: () => `mem_late_${++writes}` }), fact("a"));
    return records.memories.counts();
  });
  expect(await checkIndex(tenant)).toMatchObject({ compared: false });
});
