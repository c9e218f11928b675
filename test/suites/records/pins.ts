import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { MemoryOnRecord, RecordStore } from "#ports.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const LIMIT = 3;
const EMPTY = policyFrom([]);

export function pinSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a pinned memory is marked wherever it is read, also after a restart, until it is unpinned", async () => {
    const [one] = await captured(store.records, "one", "two");
    expect(await set(store.records, one, true)).toEqual({ kind: "set", memory: { ...one, pinned: true } });
    const records = await store.restart();
    expect(await records.memories.find(one.memoryId)).toEqual({ ...one, pinned: true });
    const found = await records.memories.at([1, 2]);
    expect([found.get(1)?.pinned, found.get(2)?.pinned]).toEqual([true, undefined]);
    const { memories } = await records.memories.page({ limit: 10, contains: "o" });
    expect(memories.map((memory) => memory.pinned)).toEqual([undefined, true]);
    expect(await set(records, one, false)).toEqual({ kind: "set", memory: one });
    expect(await records.memories.find(one.memoryId)).toEqual(one);
  });

  test("each change of a pin is in the change feed once, with a number of its own, in the order of commits", async () => {
    const { records } = store;
    const [one, two] = await captured(records, "one", "two");
    await set(records, two, true);
    const between = await records.changeFeed.since(BEGINNING);
    await set(records, two, true);
    expect(await records.changeFeed.since(between)).toMatchObject({ heads: [], position: between.position });
    await records.memories.add(newMemory("three"));
    await set(records, one, true);
    await set(records, two, false);
    await set(records, two, false);
    const { changes, position } = await readChanges(records.changeFeed, between);
    expect(changes.map(briefly)).toEqual(["4 three", "5 pins 1", "6 unpins 2"]);
    expect(position).toBe(6);
    expect((await readChanges(records.changeFeed)).changes.map(briefly)).toEqual([
      "1 one",
      "2 two",
      "3 pins 2",
      "4 three",
      "5 pins 1",
      "6 unpins 2",
    ]);
  });

  test("a memory that never was, or was forgotten, cannot be pinned", async () => {
    const { records } = store;
    const [one] = await captured(records, "one");
    await set(records, one, true);
    await records.reset([newMemory("seed")], EMPTY, STAMP);
    for (const memory of [one, newMemory("never")]) {
      expect(await set(records, memory, true)).toEqual({ kind: "not-found" });
      expect(await set(records, memory, false)).toEqual({ kind: "not-found" });
    }
  });

  test("a namespace takes as many pins as the limit says, also when many come at once", async () => {
    const { records } = store;
    const memories = await captured(records, ...Array.from({ length: 9 }, (_, i) => `fact ${i}`));
    const other = newMemory("elsewhere", { namespace: "another" });
    await records.memories.add(other);
    const outcomes = await Promise.all(memories.map((memory) => set(records, memory, true)));
    expect(outcomes.filter(({ kind }) => kind === "set")).toHaveLength(LIMIT);
    expect(outcomes.filter(({ kind }) => kind === "full")).toHaveLength(memories.length - LIMIT);
    expect((await set(records, other, true)).kind).toBe("set");

    const [pinned, free] = ["set", "full"].map((kind) => memories[outcomes.findIndex((each) => each.kind === kind)]);
    if (pinned === undefined || free === undefined) throw new Error("some are pinned and some are not");
    expect((await set(records, pinned, true)).kind).toBe("set");
    await set(records, pinned, false);
    expect((await set(records, free, true)).kind).toBe("set");
    expect((await set(records, pinned, true)).kind).toBe("full");
  });

  test("a reset forgets the pins with the memories, and pins those of the new ones that say so", async () => {
    const { records } = store;
    const [one] = await captured(records, "one");
    await set(records, one, true);
    const cursor = await records.changeFeed.since(BEGINNING);
    await records.reset([newMemory("seed", { pinned: true }), newMemory("other")], EMPTY, STAMP);
    const { memories } = await records.memories.page({ limit: 10 });
    expect(memories.map(({ content, pinned }) => [content, pinned])).toEqual([
      ["other", undefined],
      ["seed", true],
    ]);
    const { changes } = await readChanges(records.changeFeed, cursor);
    expect(changes.map(briefly)).toEqual(["3 forgets 1", "4 seed", "5 other", "6 pins 4"]);
  });

  test("the log of pins says who changed what, for an audit", async () => {
    const { records } = store;
    const [one] = await captured(records, "one");
    await set(records, one, true);
    const { pins, memories, counters } = await records.audit(async ({ rows }) => ({
      pins: await Array.fromAsync(rows("pin")),
      memories: await Array.fromAsync(rows("memory")),
      counters: await Array.fromAsync(rows("counters")),
    }));
    expect(pins).toEqual([{ sequence: 2, captured: 1, namespace: one.namespace, pinned: 1 }]);
    expect(memories).toMatchObject([{ ...one, sequence: 1, pinned: 1 }]);
    expect(counters).toMatchObject([{ memory: 2, memories: 1, pins: 1 }]);
  });
}

/** New memories, in this order. */
async function captured<T extends string[]>(records: RecordStore, ...contents: T) {
  const memories = contents.map((content) => newMemory(content));
  for (const memory of memories) await records.memories.add(memory);
  return memories as { [K in keyof T]: MemoryOnRecord };
}

const set = ({ memories }: RecordStore, { memoryId }: { readonly memoryId: string }, pinned: boolean) =>
  memories.setPinned({ memoryId, pinned, limit: LIMIT }, STAMP);

function briefly(change: MemoryChange): string {
  if (change.kind === "captured") return `${change.sequence} ${change.content}`;
  const verb = change.kind === "forgotten" ? "forgets" : change.pinned ? "pins" : "unpins";
  return `${change.sequence} ${verb} ${change.captured}`;
}
