import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";
import { memory, newMemory, randomMemory, STAMP, tally } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const EMPTY = policyFrom([]);

export function memorySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const captureAll = (...contents: string[]) =>
    Promise.all(contents.map((content) => store.records.memories.add(newMemory(content))));
  const contents = async () =>
    (await store.records.memories.page({ limit: 100 })).memories.map(({ content }) => content);

  test("a new store is empty, at version 0, and answers a ping", async () => {
    const { records } = store;
    await records.ping();
    expect(await records.policy.current()).toEqual({ policy: EMPTY, version: 0 });
    expect(await contents()).toEqual([]);
    const policy = { kind: "whole", rules: [], digest: expect.stringMatching(/^[0-9a-f]{64}$/) };
    expect(await records.changeFeed.since(BEGINNING)).toEqual({
      position: 0,
      heads: [],
      removals: 0,
      policyVersion: 0,
      policy,
    });
  });

  test("every field of a memory survives a restart", async () => {
    const hostile = newMemory("line\nend \"quote\" 'quote' \\ 😀 <b>", {
      namespace: "__proto__",
      sourceAgent: "constructor",
      occurredAt: "2024-02-03",
      metadata: JSON.parse('{"__proto__":"p","constructor":0.75,"is":false}'),
    });
    await store.records.memories.add(hostile);
    const { memories } = await store.restart();
    const page = await memories.page({ limit: 10 });
    expect(page).toEqual({ memories: [hostile] });
    expect(Object.entries(page.memories[0]?.metadata ?? {})).toHaveLength(3);
    expect([...(await memories.at([1])).values()]).toEqual([hostile]);
  });

  test("what is given as encrypted has no details beside its ciphertext", async () => {
    const encryption = { keyId: "k", wrappedKey: "w", factHash: "h" };
    const encrypted = newMemory("ciphertext", { encryption });
    await store.records.memories.add({ ...encrypted, occurredAt: "2024-02-03", metadata: { topic: "secret" } });
    expect(await store.records.memories.find(encrypted.memoryId)).toEqual(encrypted);
  });

  test("a memory is found by its id until it is forgotten", async () => {
    const { records } = store;
    await records.memories.add(memory(1));
    expect(await records.memories.find(memory(1).memoryId)).toEqual(memory(1));
    expect(await records.memories.find("mem_9")).toBeUndefined();
    await records.reset([], EMPTY, STAMP);
    expect(await records.memories.find(memory(1).memoryId)).toBeUndefined();
  });

  test("a second memory with the same id is refused, and the writes of the same commit are kept", async () => {
    const { memories } = store.records;
    const twice = newMemory("once");
    const results = await Promise.allSettled([
      memories.add(twice),
      memories.add({ ...twice, contentDigest: "another fact" }),
      memories.add(newMemory("other")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(await contents()).toEqual(["other", "once"]);
  });

  test("memories are counted by namespace and by source agent", async () => {
    const { memories } = store.records;
    expect(await memories.counts()).toEqual({ byNamespace: new Map(), bySourceAgent: new Map(), sourceAgents: 0 });
    const captured = Array.from({ length: 40 }, (_, i) => randomMemory(i));
    for (const each of captured) await memories.add(each);
    const { byNamespace, bySourceAgent, sourceAgents } = await memories.counts();
    expect(byNamespace).toEqual(tally(captured.map(({ namespace }) => namespace)));
    expect(bySourceAgent).toEqual(tally(captured.map(({ sourceAgent }) => sourceAgent)));
    expect(sourceAgents).toBe(bySourceAgent.size);
  });

  test("memories are found by sequence in the order of the request, without the forgotten ones", async () => {
    const { records } = store;
    await captureAll("a", "b", "c");
    const sequences = (await readChanges(records.changeFeed)).changes.map(({ sequence }) => sequence);
    const [a = 0, b = 0, c = 0] = sequences;
    const found = await records.memories.at([c, 999, a, b]);
    expect(new Map([...found].map(([sequence, { content }]) => [sequence, content]))).toEqual(
      new Map([
        [a, "a"],
        [b, "b"],
        [c, "c"],
      ]),
    );
    await records.reset([newMemory("new")], EMPTY, STAMP);
    expect(await records.memories.at(sequences)).toEqual(new Map());
  });

  test("a reset that changes no rule keeps the policy's version", async () => {
    const { records } = store;
    const policy = policyFrom([{ agentId: "y", namespace: "m", allowed: true }]);
    await records.reset([], policy, STAMP);
    await records.reset([], policy, STAMP);
    expect((await records.policy.current()).version).toBe(1);
  });
}
