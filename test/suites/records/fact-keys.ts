import { expect, test } from "vitest";
import type { MemoryOnRecord } from "#ports.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const NAMED = { namespace: "n", sourceAgent: "s", key: "k" };

export function factKeySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (content: string, fields: Partial<MemoryOnRecord> = {}) =>
    store.records.memories.add(newMemory(content, { key: "k", ...fields }));

  test("a key finds the memory of its namespace and source agent, across a restart", async () => {
    const one = await capture("one");
    const two = await capture("two", { namespace: "m" });
    const three = await capture("three", { sourceAgent: "t" });
    const four = await capture("four", { key: "__proto__ 'x' 😀" });
    const { memories } = await store.restart();
    expect(await memories.findByKey(NAMED)).toEqual(one);
    expect(await memories.findByKey({ ...NAMED, namespace: "m" })).toEqual(two);
    expect(await memories.findByKey({ ...NAMED, sourceAgent: "t" })).toEqual(three);
    expect(await memories.findByKey({ ...NAMED, key: "__proto__ 'x' 😀" })).toEqual(four);
    expect(await memories.findByKey({ ...NAMED, key: "K" })).toBeUndefined();
  });

  test("a capture under a key in use supersedes, and says which memory", async () => {
    const { memories } = store.records;
    const one = await capture("one");
    const two = await capture("two");
    expect(two).toMatchObject({ key: "k", supersedes: one.memoryId });
    expect(await memories.findByKey(NAMED)).toEqual(two);
    expect(await memories.find(one.memoryId)).toEqual({ ...one, supersededBy: two.memoryId });
    const three = await capture("three");
    expect(three.supersedes).toBe(two.memoryId);
    expect((await memories.page({ limit: 9 })).memories).toEqual([three]);
    expect((await memories.page({ limit: 9, superseded: true })).memories.map(({ content }) => content)).toEqual([
      "two",
      "one",
    ]);
  });

  test("the same fact under the same key is the same memory, and changes nothing", async () => {
    const { changeFeed } = store.records;
    const one = await capture("one", { contentDigest: "same" });
    const before = await readChanges(changeFeed);
    expect(await capture("one", { contentDigest: "same" })).toEqual(one);
    expect(await readChanges(changeFeed)).toEqual(before);
  });

  test("the same fact under another key, or without one, is another memory", async () => {
    const fact = { contentDigest: "same" };
    const keyed = await capture("one", fact);
    const other = await capture("one", { ...fact, key: "other" });
    const plain = newMemory("one", fact);
    expect(await store.records.memories.add(plain)).toEqual(plain);
    expect(new Set([keyed, other, plain].map(({ memoryId }) => memoryId)).size).toBe(3);
    expect((await store.records.memories.add(newMemory("one", fact))).memoryId).toBe(plain.memoryId);
    expect((await capture("one", { ...fact, key: "other" })).memoryId).toBe(other.memoryId);
    expect((await store.records.memories.page({ limit: 9 })).memories).toHaveLength(3);
  });

  test("the memory that a capture names and the one with its key both become history, and the named one is linked", async () => {
    const { memories } = store.records;
    const [keyed, named] = [await capture("keyed"), await memories.add(newMemory("named"))];
    const both = await capture("both", { supersedes: named.memoryId });
    expect(both.supersedes).toBe(named.memoryId);
    for (const { memoryId } of [keyed, named])
      expect((await memories.find(memoryId))?.supersededBy).toBe(both.memoryId);
    expect((await memories.page({ limit: 9 })).memories).toEqual([both]);
    expect((await memories.counts()).byNamespace).toEqual(new Map([["n", 1]]));
  });

  test("captures under one key at once, from all replicas, leave one current memory and a chain of history", async () => {
    const stores = [store.records, await store.openAgain()];
    const captured = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        (stores[i % 2] as (typeof stores)[number]).memories.add(newMemory(`${i}`, { key: "k" })),
      ),
    );
    const { memories } = store.records;
    const current = await memories.findByKey(NAMED);
    expect((await memories.page({ limit: 99 })).memories).toEqual([current]);
    const seen = new Set<string>();
    for (let next = current; next !== undefined; ) {
      seen.add(next.memoryId);
      next = next.supersedes === undefined ? undefined : await memories.find(next.supersedes);
    }
    expect(seen).toEqual(new Set(captured.map(({ memoryId }) => memoryId)));
  });

  test("a key is free again when its memory was superseded without it, or forgotten", async () => {
    const { memories } = store.records;
    const one = await capture("one");
    await memories.add(newMemory("two", { supersedes: one.memoryId }));
    expect(await memories.findByKey(NAMED)).toBeUndefined();
    const three = await capture("three");
    expect(three.supersedes).toBeUndefined();
    await memories.forget({ memoryIds: [three.memoryId], cause: "forgotten" }, STAMP);
    expect((await capture("four")).supersedes).toBeUndefined();
  });
}
