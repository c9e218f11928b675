import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function sameFactSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const fact = { contentDigest: "one fact", storeRef: "blob" };
  const lease = (storedAt: string, blobId = "blob") => ({ blobId, endEpoch: 1, storedAt });

  test("the same fact is the same memory: nothing is recorded, counted, or added to the change feed", async () => {
    const { records } = store;
    const first = newMemory("a", fact);
    expect(await records.memories.add(first)).toEqual(first);
    const [before, counts] = [await readChanges(records.changeFeed), await records.memories.counts()];
    expect(await records.memories.add(newMemory("a", fact))).toEqual(first);
    expect(await readChanges(records.changeFeed)).toEqual(before);
    expect(await records.memories.counts()).toEqual(counts);
    const other = newMemory("b");
    expect(await records.memories.add(other)).toEqual(other);
    // The sequence has no gap.
    expect((await readChanges(records.changeFeed)).changes.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  test("the memory is answered as it is on record, pinned ones as pinned", async () => {
    const { records } = store;
    const { memoryId } = await records.memories.add(newMemory("a", fact));
    await records.memories.setPinned({ memoryId, pinned: true, limit: 1 }, STAMP);
    expect(await records.memories.add(newMemory("a", fact))).toMatchObject({ memoryId, pinned: true });
  });

  test("of the same facts at once, from all replicas, one is recorded", async () => {
    const [one, two] = [store.records, await store.openAgain()];
    const facts = Array.from({ length: 60 }, (_, i) => ({ contentDigest: `fact ${i % 3}` }));
    const answered = await Promise.all(facts.map((each, i) => (i % 2 ? one : two).memories.add(newMemory("a", each))));
    const ids = (digest: string) =>
      new Set(answered.flatMap((each) => (each.contentDigest === digest ? each.memoryId : [])));
    for (const digest of ["fact 0", "fact 1", "fact 2"]) expect(ids(digest).size).toBe(1);
    const { memories } = await one.memories.page({ limit: 100 });
    expect(new Set(memories.map(({ memoryId }) => memoryId))).toEqual(new Set(answered.map((each) => each.memoryId)));
    expect(memories).toHaveLength(3);
  });

  test("a fact that was forgotten is a new memory", async () => {
    const { records } = store;
    await records.memories.add(newMemory("a", fact));
    await records.reset([], policyFrom([]), STAMP);
    const again = newMemory("a", fact);
    expect(await records.memories.add(again)).toEqual(again);
  });

  test("a reset records what it is given, and a repeat gets the first", async () => {
    const { records } = store;
    const [one, two] = [newMemory("a", fact), newMemory("a", fact)];
    await records.reset([one, two], policyFrom([]), STAMP);
    expect((await records.memories.page({ limit: 9 })).memories).toEqual([two, one]);
    expect(await records.memories.add(newMemory("a", fact))).toEqual(one);
  });

  test("a repeat renews the lease of the blob, and leaves none for a blob in another store", async () => {
    const { records } = store;
    await records.memories.add(newMemory("a", fact), lease("2026-01-01"));
    await records.memories.add(newMemory("a", fact), lease("2026-02-02"));
    expect(await records.leases.find("blob")).toMatchObject({ storedAt: "2026-02-02" });
    await records.memories.add(newMemory("a", { ...fact, storeRef: "elsewhere" }), lease("2026-03-03", "elsewhere"));
    expect(await records.leases.find("elsewhere")).toBeUndefined();
  });
}
