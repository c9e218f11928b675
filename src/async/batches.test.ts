import fc from "fast-check";
import { expect, test } from "vitest";
import { createBatches, type Waiting } from "./batches.ts";

interface Item {
  readonly caller: string;
  readonly weight: number;
}

const OF_ITEM = { weightOf: ({ weight }: Item) => weight, callerOf: ({ caller }: Item) => caller };

/** Batches that end when the test says so. */
function heldBatches(max: number) {
  const begun: Item[][] = [];
  let end: () => void = () => undefined;
  const add = createBatches<Item, Item>({ max, ...OF_ITEM }, async (batch) => {
    begun.push(batch.map(({ item }) => item));
    await new Promise<void>((resolve) => {
      end = resolve;
    });
    for (const { item, resolve } of batch) resolve(item);
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  return {
    begun,
    add,
    async endBatch() {
      end();
      await turn();
    },
    turn,
  };
}

const item = (caller: string, weight = 1): Item => ({ caller, weight });

test("what arrives in one turn, or while a batch runs, shares a batch, and a caller's one item waits for no more than a batch", async () => {
  const { begun, add, endBatch, turn } = heldBatches(4);
  for (let i = 0; i < 100; i++) void add(item("many"));
  await turn();
  expect(begun).toHaveLength(1);
  void add(item("one"));
  await endBatch();
  expect(begun.map((batch) => batch.length)).toEqual([4, 4]);
  expect(begun[1]?.map(({ caller }) => caller)).toEqual(["many", "one", "many", "many"]);
});

test("what is urgent is begun before its turn of the event loop ends, and what arrives meanwhile shares the next batch", async () => {
  const begun: string[][] = [];
  const add = createBatches<string, void>({ max: 4, isUrgent: true }, async (batch) => {
    begun.push(batch.map(({ item }) => item));
    for (const { resolve } of batch) resolve();
  });
  const added = ["first", "second", "third"].map((each) => add(each));
  expect(begun).toEqual([["first"]]);
  await Promise.all(added);
  expect(begun).toEqual([["first"], ["second", "third"]]);
});

test("batches that overlap have what arrives in each turn, and wait for none before", async () => {
  const begun: string[][] = [];
  const add = createBatches<string, void>({ max: 2, overlaps: true }, async (batch) => {
    begun.push(batch.map(({ item }) => item));
    await new Promise(() => undefined);
  });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  for (const each of ["first", "second", "third"]) void add(each);
  await turn();
  expect(begun).toEqual([["first", "second"], ["third"]]);
  void add("fourth");
  await turn();
  expect(begun).toEqual([["first", "second"], ["third"], ["fourth"]]);
});

test("every item is run once, those of a caller in their order, and no batch of several weighs more than it may", async () => {
  const items = fc.array(
    fc.record({ caller: fc.constantFrom("a", "b", "__proto__"), weight: fc.integer({ min: 1, max: 9 }) }),
    { maxLength: 40 },
  );
  await fc.assert(
    fc.asyncProperty(items, fc.integer({ min: 1, max: 7 }), async (all, max) => {
      const run: Item[][] = [];
      const settle = async (batch: readonly Waiting<Item, Item>[]) => {
        run.push(batch.map(({ item }) => item));
        for (const { item, resolve } of batch) resolve(item);
      };
      const add = createBatches<Item, Item>({ max, ...OF_ITEM }, settle);
      expect(await Promise.all(all.map((each) => add(each)))).toEqual(all);
      for (const caller of ["a", "b", "__proto__"]) {
        const own = (each: Item) => each.caller === caller;
        expect(run.flat().filter(own)).toEqual(all.filter(own));
      }
      for (const batch of run) {
        const weight = batch.reduce((sum, each) => sum + each.weight, 0);
        expect(batch.length === 1 || weight <= max).toBe(true);
      }
    }),
  );
});
