// The store for LangGraph beside the framework's own store, which is the definition of what a store does.
import { InMemoryStore, type Item, type SearchItem } from "@langchain/langgraph-checkpoint";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PortcullisStore } from "#integrations/langgraph/index.ts";
import { runs } from "#test/support/runs.ts";
import { gatedWorld } from "./gated-world.ts";

const LABELS = ["a", "b", "ü"];
const PATHS = [["a"], ["b"], ["a", "b"], ["a", "a"], ["a", "b", "ü"], ["ü", "a b/c%"]];
const NAMES = ["a", "b", "a/b", "a/a", "a/b/%C3%BC", "%C3%BC/a%20b%2Fc%25"];

const paths = fc.constantFrom(...PATHS);
const keys = fc.constantFrom("k", "key with spaces", "../..", "ключ", "a/b?c#d%20");
const scalars = fc.constantFrom<unknown>(1, 2, 3, "1", "two", true, null, "<script>\u202e", "\u0000\ud83e\udd8a");
const values = fc
  .record(
    { n: scalars, text: fc.constantFrom("tea", "green tea", "coffee"), list: fc.array(scalars, { maxLength: 2 }) },
    { requiredKeys: ["text"] },
  )
  .map((value) => value as Record<string, unknown>);
const prefixes: fc.Arbitrary<string[]> = fc.constantFrom([], ...PATHS);
const filters = fc.option(
  fc.oneof(
    fc.record({ text: fc.constantFrom("tea", "coffee") }),
    fc.record({ n: fc.constantFrom<unknown>(1, "1", true) }),
    fc.record({
      n: fc.dictionary(
        fc.constantFrom("$eq", "$ne", "$gt", "$gte", "$lt", "$lte"),
        fc.constantFrom<unknown>(1, 2, "two"),
        { minKeys: 1 },
      ),
    }),
    fc.record({
      text: fc.dictionary(fc.constantFrom("$in", "$nin"), fc.constantFrom(["tea"], ["tea", "coffee"], []), {
        minKeys: 1,
      }),
    }),
  ),
  { nil: undefined },
);
const lists = fc.record(
  {
    prefix: fc.array(fc.constantFrom(...LABELS, "*"), { minLength: 1, maxLength: 2 }),
    suffix: fc.array(fc.constantFrom(...LABELS, "*"), { minLength: 1, maxLength: 2 }),
    maxDepth: fc.integer({ min: 1, max: 3 }),
  },
  { requiredKeys: [] },
);

const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant("put" as const), path: paths, key: keys, value: values }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), path: paths, key: keys }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant("get" as const), path: paths, key: keys }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("search" as const),
        prefix: prefixes,
        filter: filters,
        query: fc.constantFrom(undefined, "tea"),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant("list" as const), options: lists }) },
  ),
  { minLength: 4, maxLength: 14 },
);

const plain = ({ namespace, key, value }: Item) => ({ namespace, key, value });
const byPlace = (a: Item, b: Item) =>
  JSON.stringify([a.namespace, a.key]) < JSON.stringify([b.namespace, b.key]) ? -1 : 1;
const sorted = (items: readonly SearchItem[]) => [...items].sort(byPlace).map(plain);

describe("beside the framework's own store", () => {
  test("gives the same items for any sequence of puts, deletes, gets, searches and lists", async () => {
    const { service, planner } = await gatedWorld(NAMES);
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const store = new PortcullisStore({ client: planner.client });
        const model = new InMemoryStore();
        for (const step of list) {
          if (step.kind === "put") {
            await store.put(step.path, step.key, step.value);
            await model.put(step.path, step.key, step.value);
          } else if (step.kind === "delete") {
            await store.delete(step.path, step.key);
            await model.delete(step.path, step.key);
          } else if (step.kind === "get") {
            const [ours, theirs] = [await store.get(step.path, step.key), await model.get(step.path, step.key)];
            expect(ours && plain(ours)).toEqual(theirs && plain(theirs));
          } else if (step.kind === "search") {
            const { prefix, ...options } = { ...step, limit: 100, ...(step.filter ? {} : { filter: {} }) };
            const found = await store.search(prefix, options as { query?: string });
            const expected = (await model.search(prefix, { ...options, query: undefined } as object)).filter(
              // The framework compares joined names, so that a prefix also matches a part of a label.
              ({ namespace }) => prefix.every((part, i) => namespace[i] === part),
            );
            expect(sorted(found)).toEqual(sorted(expected));
          } else {
            const held = new Set(
              (await model.search([], { limit: 1_000 })).map(({ namespace }) => JSON.stringify(namespace)),
            );
            // The framework keeps namespaces whose items are all deleted.
            const kept = new InMemoryStore();
            for (const path of held) await kept.put(JSON.parse(path), "k", {});
            const order = (found: string[][]) => found.map((path) => JSON.stringify(path)).sort();
            expect(order(await store.listNamespaces(step.options))).toEqual(
              order(await kept.listNamespaces(step.options)),
            );
          }
        }
        await service.admin.forgetMemories({ sourceAgent: "planner" });
      }),
      { numRuns: runs(40) },
    );
  });
});
