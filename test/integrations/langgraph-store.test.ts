// The store for LangGraph, over the real service.
import type { SearchItem } from "@langchain/langgraph-checkpoint";
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { PortcullisStore } from "#integrations/langgraph/index.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { gatedWorld } from "./gated-world.ts";

async function storeFor(captures?: readonly string[]) {
  const world = await gatedWorld(captures);
  const { service, planner, guest } = world;
  const open = (key: string) => new PortcullisStore({ url: service.url, key });
  return { ...world, store: open(planner.key), guestStore: open(guest.key) };
}

describe("a store", () => {
  test("keeps the time of the first put, and the time of the last", async () => {
    const { store } = await storeFor();
    await store.put(["diet"], "k", { n: 1 });
    const first = await store.get(["diet"], "k");
    await store.put(["diet"], "k", { n: 2 });
    await store.put(["diet"], "k", { n: 1 });
    const last = await store.get(["diet"], "k");
    expect(last?.value).toEqual({ n: 1 });
    expect(last?.createdAt).toEqual(first?.createdAt);
    expect(last?.updatedAt.getTime()).toBeGreaterThanOrEqual(first?.createdAt.getTime() ?? Number.NaN);
    const [found] = await store.search(["diet"]);
    expect(found?.createdAt).toEqual(first?.createdAt);
  });

  test("a value put again is the same memory", async () => {
    const { store, planner } = await storeFor();
    await store.put(["diet"], "k", { b: 1, a: [2] });
    await store.put(["diet"], "k", { a: [2], b: 1 });
    const { memories } = await planner.client.listMemories({ limit: 10 });
    expect(memories.map(({ content, key }) => [content, key])).toEqual([['{"a":[2],"b":1}', "k"]]);
  });

  test("a deleted item leaves no earlier value behind", async () => {
    const { store, service } = await storeFor();
    for (const n of [1, 2, 3]) await store.put(["diet"], "k", { n });
    await store.put(["diet"], "other", { n: 4 });
    await store.put(["diet"], "other", { n: 5 });
    await store.delete(["diet"], "k");
    const contents = async (superseded: "true" | "false") =>
      (await service.admin.listMemories({ superseded, limit: 10 })).memories.map(({ content }) => content);
    expect([await contents("false"), await contents("true")]).toEqual([['{"n":5}'], ['{"n":4}']]);
  });

  test("ranks by the query within the prefix, with scores, and pages through all of it", async () => {
    const { store } = await storeFor(["diet", "trips", "trips/2026"]);
    for (let i = 0; i < 20; i++) await store.put(["diet"], `tea ${i}`, { text: `tea number ${i} from the tea shop` });
    await store.put(["trips"], "x", { text: "Flies to Lisbon." });
    await store.put(["trips", "2026"], "y", { text: "Buys tea in Porto." });
    const [best, ...others] = await store.search(["trips"], { query: "tea" });
    expect([best?.namespace, best?.key]).toEqual([["trips", "2026"], "y"]);
    expect(best?.score).toBeTypeOf("number");
    expect(others.map(({ key }) => key)).toEqual(["x"]);
    const pages = await Promise.all([0, 10, 20].map((offset) => store.search([], { query: "tea", limit: 10, offset })));
    expect(pages.map(({ length }) => length)).toEqual([10, 10, 2]);
    expect(new Set(pages.flat().map(({ key }) => key)).size).toBe(22);
  });

  test("a search with a query is on record as recalled", async () => {
    const { service, planner } = await storeFor();
    const kinds: string[] = [];
    const onReceipt = ({ evidence }: { evidence: { kind: string } }) => void kinds.push(evidence.kind);
    const store = new PortcullisStore({ url: service.url, key: planner.key, onReceipt });
    await store.put(["diet"], "k", { text: "tea" });
    await store.search(["diet"], { query: "tea" });
    expect(kinds).toEqual(["recalled"]);
  });

  test("finds what others put, under its id, and neither hides nor deletes it", async () => {
    const { store, guestStore } = await storeFor();
    await store.put(["diet"], "k", { text: "tea" });
    await guestStore.put(["diet"], "k", { text: "coffee" });
    const found = await guestStore.search(["diet"]);
    expect(found.map(({ value }) => value.text).sort()).toEqual(["coffee", "tea"]);
    expect((await guestStore.get(["diet"], "k"))?.value).toEqual({ text: "coffee" });
    const other = found.find(({ key }) => key !== "k") as SearchItem;
    expect((await guestStore.get(["diet"], other.key))?.value).toEqual({ text: "tea" });
    await expect(guestStore.delete(["diet"], other.key)).rejects.toThrow("only what it put itself");
    expect((await store.get(["diet"], "k"))?.value).toEqual({ text: "tea" });
  });

  test("gives memories that no store put, as their text", async () => {
    const { guestStore, planner } = await storeFor();
    const { memory } = await planner.client.capture({ namespace: "diet", content: "Loves mango." });
    const dated = { namespace: "diet", content: "Ate a papaya.", occurredAt: "2026-05-12" };
    const { memory: other } = await planner.client.capture(dated);
    const { namespace: _, ...value } = dated;
    expect((await guestStore.get(["diet"], other.memoryId))?.value).toEqual(value);
    const [found] = await guestStore.search(["diet"], { query: "mango" });
    expect(found).toMatchObject({ key: memory.memoryId, value: { content: "Loves mango." }, namespace: ["diet"] });
    expect(await guestStore.get(["diet"], memory.memoryId)).toMatchObject({ value: { content: "Loves mango." } });
    expect(await guestStore.get(["trips"], memory.memoryId)).toBeNull();
  });

  test("a revoke counts at once, for everything that it gives", async () => {
    const { store, allow, guestStore } = await storeFor();
    await store.put(["diet"], "k", { text: "tea" });
    await guestStore.put(["diet"], "mine", { text: "coffee" });
    const seen = async () => ({
      got: await guestStore.get(["diet"], "mine"),
      searched: (await guestStore.search([], { query: "tea" })).length,
      listed: (await guestStore.search(["diet"])).length,
      namespaces: await guestStore.listNamespaces(),
    });
    expect(await seen()).toMatchObject({ got: { key: "mine" }, searched: 2, listed: 2, namespaces: [["diet"]] });
    await allow("guest", "diet", false);
    expect(await seen()).toEqual({ got: null, searched: 0, listed: 0, namespaces: [] });
  });

  test("with an admin's key it speaks as the agent that it names, and sees no more than it", async () => {
    const { store, service, allow } = await storeFor();
    await store.put(["diet"], "k", { text: "tea" });
    await store.put(["trips"], "k", { text: "Lisbon" });
    await allow("planner", "trips", false);
    const asPlanner = new PortcullisStore({ client: service.admin, agentId: "planner" });
    expect((await asPlanner.search([])).map(({ namespace }) => namespace)).toEqual([["diet"]]);
    expect([await asPlanner.get(["trips"], "k"), await asPlanner.listNamespaces()]).toEqual([null, [["diet"]]]);
    expect((await asPlanner.get(["diet"], "k"))?.value).toEqual({ text: "tea" });
    const asNobody = new PortcullisStore({ client: service.admin });
    await expect(asNobody.search([])).rejects.toThrow("agentId");
  });

  test("does the reads of a batch before its writes, and the last write to an item counts", async () => {
    const { store } = await storeFor();
    await store.put(["diet"], "k", { n: 1 });
    const place = { namespace: ["diet"], key: "k" };
    const results = await store.batch([
      { ...place, value: { n: 2 } },
      place,
      { ...place, value: { n: 3 } },
      { namespacePrefix: ["diet"] },
      { matchConditions: [], limit: 10, offset: 0 },
    ] as const satisfies unknown[] as never);
    expect(results).toMatchObject([undefined, { value: { n: 1 } }, undefined, [{ value: { n: 1 } }], [["diet"]]]);
    expect((await store.get(["diet"], "k"))?.value).toEqual({ n: 3 });
  });
});

describe("what the service cannot do is an error that says so, and changes nothing", () => {
  test.for<[string, (store: PortcullisStore) => Promise<unknown>, string | RegExp]>([
    ["a namespace that is too long", (store) => store.put(["a".repeat(40), "b".repeat(30)], "k", {}), "64 is the most"],
    ["a short one that is long when encoded", (store) => store.get(["ü".repeat(11)], "k"), "64 is the most"],
    ["an empty namespace", (store) => store.get([], "k"), "at least one part"],
    ["an empty part", (store) => store.search(["a", ""]), "not empty"],
    [
      "a namespace that is a dot segment of a URL",
      (store) => store.delete([".."], "key_00000000000"),
      "cannot be a namespace",
    ],
    ["a key that is a dot segment of a URL", (store) => store.get(["diet"], ".."), "cannot be a key"],
    ["an empty key", (store) => store.put(["diet"], "", {}), "must not be empty"],
    ["a value that is too long", (store) => store.put(["diet"], "k", { text: "x".repeat(8_000) }), "8,000 characters"],
    ["a value with a lone surrogate", (store) => store.put(["diet"], "k", { text: "\ud800" }), "lone surrogate"],
    ["an item without an index", (store) => store.put(["diet"], "k", {}, false), "`index` cannot change that"],
    ["an index of some fields", (store) => store.put(["diet"], "k", {}, ["text"]), "`index` cannot change that"],
    [
      "an unknown operator",
      (store) => store.search(["diet"], { filter: { n: { $regex: "x" } } }),
      "no operator $regex",
    ],
    [
      "a namespace that is closed to the agent, which could not read what it puts there",
      (store) => store.put(["other"], "k", {}),
      'The namespace "other" is closed to the agent planner',
    ],
  ])("%s", async ([, act, sentence]) => {
    const { store, service } = await storeFor();
    await expect(act(store)).rejects.toThrow(sentence);
    expect((await service.admin.listMemories({ limit: 10 })).memories).toEqual([]);
  });

  test("a namespace that the key may not capture into, with those that it may", async () => {
    const { store, allow } = await storeFor();
    await allow("planner", "other");
    await expect(store.put(["other"], "k", {})).rejects.toThrow("It may capture into: diet, trips.");
  });

  test("a batch with one operation that cannot be done does none of it", async () => {
    const { store } = await storeFor();
    const good = { namespace: ["diet"], key: "k", value: { n: 1 } };
    await expect(store.batch([good, { ...good, key: "" }])).rejects.toThrow("A key must not be empty");
    expect(await store.get(["diet"], "k")).toBeNull();
  });

  test("takes an index all the same when it was told to ignore it", async () => {
    const { service, planner } = await storeFor();
    const store = new PortcullisStore({ url: service.url, key: planner.key, ignoreIndex: true });
    await store.put(["diet"], "k", { text: "tea" }, false);
    expect(await store.search(["diet"], { query: "tea" })).toHaveLength(1);
  });

  test("a stopped store ends what is under way", async () => {
    const { service, planner } = await storeFor();
    let reached: () => void = () => undefined;
    const isUnderWay = new Promise<void>((resolve) => {
      reached = resolve;
    });
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (!String(input).includes("/keys/")) return fetchWithoutKeepAlive(input, init);
      reached();
      return new Promise((_, reject) => init?.signal?.addEventListener("abort", () => reject(init.signal?.reason)));
    };
    const store = new PortcullisStore({ client: createClient({ baseUrl: service.url, bearer: planner.key, fetch }) });
    const got = store.get(["diet"], "k");
    const failed = expect(got).rejects.toThrow("The store was stopped.");
    await isUnderWay;
    store.stop();
    await failed;
  });
});
