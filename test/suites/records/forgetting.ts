import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { Decision, MemoryOnRecord } from "#ports.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { AT, anchorOf, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const EMPTY = policyFrom([]);
const NOW = "2026-03-04T05:06:07.890Z";
const FORGETTER = { by: "forgetter", at: NOW };

export function forgettingSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = async (content: string, fields: Partial<MemoryOnRecord> = {}) =>
    store.records.memories.add(newMemory(content, fields));
  const forget = (memories: readonly { readonly memoryId: string }[], reason?: string) =>
    store.records.memories.forget(
      {
        memoryIds: memories.map(({ memoryId }) => memoryId),
        cause: "forgotten",
        ...(reason !== undefined && { reason }),
      },
      FORGETTER,
    );
  const tombstoneOf = ({ memoryId, namespace }: MemoryOnRecord, cause: ForgetCause = "forgotten") => ({
    memoryId,
    namespace,
    cause,
    forgottenBy: "forgetter",
    forgottenAt: NOW,
  });

  test("a forgotten memory is in no list, lookup, count or blob text, and a tombstone stays across a restart", async () => {
    const [gone, stays] = [await capture("gone", { storeRef: "blob", key: "k" }), await capture("stays")];
    const forgotten = await forget([gone], "asked to");
    const tombstone = { ...tombstoneOf(gone), reason: "asked to" };
    expect(forgotten).toEqual([{ tombstone, storeRef: "blob", anchoredReceipts: 0 }]);
    const { memories, blobTexts } = await store.restart();
    expect(await memories.find(gone.memoryId)).toBeUndefined();
    expect(await memories.findAll([gone.memoryId, stays.memoryId, "none"])).toEqual(new Map([[stays.memoryId, stays]]));
    expect(await memories.findByKey({ namespace: "n", sourceAgent: "s", key: "k" })).toBeUndefined();
    expect([...(await memories.at([1, 2])).keys()]).toEqual([2]);
    expect(await memories.current([gone.memoryId, stays.memoryId, "none"])).toEqual(new Set([stays.memoryId]));
    for (const filter of [{}, { namespaces: ["n"] }, { sourceAgent: "s" }, { contains: "s" }, { superseded: true }]) {
      const found = (await memories.page({ limit: 10, ...filter })).memories;
      expect(found.map(({ content }) => content)).toEqual("superseded" in filter ? [] : ["stays"]);
    }
    expect(await memories.counts()).toEqual({
      byNamespace: new Map([["n", 1]]),
      bySourceAgent: new Map([["s", 1]]),
      sourceAgents: 1,
    });
    expect(await blobTexts.find("blob")).toBeUndefined();
    const recorded = { tombstone, sourceAgent: "s", anchoredReceipts: 0, isNamedInPublic: false };
    expect(await memories.tombstone(gone.memoryId)).toEqual(recorded);
    for (const id of [stays.memoryId, "none"]) expect(await memories.tombstone(id)).toBeUndefined();
  });

  test("unknown ids and repeats are passed over, and the first forgetting of a memory counts", async () => {
    const memory = await capture("a");
    expect(await forget([{ memoryId: "none" }])).toEqual([]);
    const { position, removals } = await readChanges(store.records.changeFeed);
    expect(removals).toBe(0);
    expect(await forget([memory, { memoryId: "none" }, memory])).toHaveLength(1);
    const { memories, changeFeed } = store.records;
    expect(
      await memories.forget({ memoryIds: [memory.memoryId], cause: "forgotten" }, { by: "other", at: AT }),
    ).toEqual([]);
    expect((await memories.tombstone(memory.memoryId))?.tombstone).toEqual(tombstoneOf(memory));
    expect((await changeFeed.since({ position: 0, policyVersion: 0 })).position).toBe(position + 1);
  });

  test("the change feed gives each forgotten memory once, and the head and the count of its namespace", async () => {
    const memories = [await capture("a"), await capture("b"), await capture("c", { namespace: "m" })];
    const before = await readChanges(store.records.changeFeed);
    await forget(memories.slice(1));
    const { heads, changes, removals } = await readChanges(store.records.changeFeed, before);
    expect(removals).toBeGreaterThan(before.removals);
    expect(heads).toMatchObject([
      { namespace: "m", memories: 0 },
      { namespace: "n", memories: 1 },
    ]);
    expect(changes.map((change) => [change.kind, "captured" in change && change.captured])).toEqual([
      ["forgotten", 2],
      ["forgotten", 3],
    ]);
    expect(heads.map(({ head }) => head).sort()).toEqual([4, 5]);
    expect((await readChanges(store.records.changeFeed)).changes.map(({ kind }) => kind)).toEqual([
      "captured",
      "forgotten",
      "forgotten",
    ]);
  });

  test("five hundred are forgotten in one step", async () => {
    const many = await Promise.all(Array.from({ length: 501 }, (_, i) => capture(`${i}`)));
    expect(await forget(many.slice(1))).toHaveLength(500);
    expect((await store.records.memories.page({ limit: 10 })).memories).toEqual([many[0]]);
    expect((await readChanges(store.records.changeFeed)).changes).toHaveLength(501);
  });

  test("the last memory of a namespace makes room for another namespace", async () => {
    await store.restart({ namespaces: 1, policyRules: 10, namespaceRules: 10 });
    const only = await capture("a");
    await expect(capture("b", { namespace: "m" })).rejects.toMatchObject({ code: "limit-reached" });
    await forget([only]);
    await capture("b", { namespace: "m" });
    await expect(capture("c")).rejects.toMatchObject({ code: "limit-reached" });
  });

  test("a fact that was forgotten can be captured again, under the same key, and is another memory", async () => {
    const fact = { contentDigest: "same", key: "k" };
    const first = await capture("a", fact);
    await forget([first]);
    const second = newMemory("a", fact);
    expect(await store.records.memories.add(second)).toEqual(second);
    expect(await store.records.memories.find(first.memoryId)).toBeUndefined();
  });

  test("a forgotten memory leaves its pin free", async () => {
    const [one, two] = [await capture("one"), await capture("two")];
    const pin = ({ memoryId }: MemoryOnRecord) =>
      store.records.memories.setPinned({ memoryId, pinned: true, limit: 1 }, STAMP);
    await pin(one);
    expect((await pin(two)).kind).toBe("full");
    await forget([one]);
    expect((await pin(one)).kind).toBe("not-found");
    expect((await pin(two)).kind).toBe("set");
  });

  test("its lease goes, unless another memory or an anchor has the blob", async () => {
    const { records } = store;
    const lease = (blobId: string) => ({ blobId, storedAt: AT });
    const add = (storeRef: string) => records.memories.add(newMemory(storeRef, { storeRef }), lease(storeRef));
    const [alone, shared, again, anchored] = [await add("x"), await add("y"), await add("y"), await add("z")];
    await records.anchors.add(anchorOf(receipt(1), { issued: false, blobId: "z" }));
    await forget([alone, shared, anchored]);
    const left = async () => (await records.leases.findAll(["x", "y", "z"])).map(({ blobId }) => blobId).sort();
    expect(await left()).toEqual(["y", "z"]);
    await forget([again]);
    expect(await left()).toEqual(["z"]);
  });

  test("the snapshots of its namespace are off the register, and those of others stay", async () => {
    const { snapshots } = store.records;
    const gone = await capture("a");
    for (const namespace of ["n", "m"]) await snapshots.add(namespace, "5".repeat(64));
    await forget([{ memoryId: "none" }]);
    expect([...(await snapshots.all()).keys()].sort()).toEqual(["m", "n"]);
    await forget([gone]);
    expect([...(await snapshots.all()).keys()]).toEqual(["m"]);
  });

  test("the answer counts the receipts that name it and are anchored here, which stay public", async () => {
    const { receipts, anchors, memories } = store.records;
    const [named, other] = [await capture("a"), await capture("b")];
    const naming = (i: number, ...used: MemoryOnRecord[]) =>
      receipt(i, {
        memoryIds: used.map(({ memoryId }) => memoryId),
        body: JSON.stringify({ usedMemories: used.map(({ memoryId, storeRef }) => ({ memoryId, storeRef })) }),
      });
    for (const i of [1, 2, 3]) await receipts.add(naming(i, named));
    await receipts.add(naming(4, other));
    for (const i of [1, 2]) await anchors.add(anchorOf(naming(i, named)));
    await anchors.add(anchorOf(naming(1, named), { blobId: "in another store" }));
    await anchors.add(anchorOf(naming(9, other), { issued: false }));
    expect((await forget([named, other])).map(({ anchoredReceipts }) => anchoredReceipts)).toEqual([2, 0]);
    expect((await memories.tombstone(named.memoryId))?.isNamedInPublic).toBe(true);
    expect((await memories.tombstone(other.memoryId))?.isNamedInPublic).toBe(false);
  });

  test("the event and the decision are recorded with it, without any text", async () => {
    const { memories, events, decisions } = store.records;
    const gone = await capture("canary");
    const { head } = await events.position();
    const decision: Decision = {
      at: NOW,
      principalId: "p",
      principalName: "p",
      role: "admin",
      route: "forget",
      policyVersion: 0,
      outcome: "changed",
      memoryId: gone.memoryId,
    };
    await memories.forget({ memoryIds: [gone.memoryId], cause: "forgotten" }, { ...FORGETTER, decision });
    const happened = await events.after({ after: head, limit: 10 });
    const what = { kind: "memory-forgotten", cause: "forgotten", memoryId: gone.memoryId };
    expect(happened).toEqual([{ sequence: head + 1, at: NOW, ...what, namespace: "n", sourceAgent: "s" }]);
    expect((await decisions.page({ limit: 10 })).decisions).toMatchObject([
      { memoryId: gone.memoryId, route: "forget" },
    ]);
  });

  test("a reset leaves tombstones of all memories, superseded ones included, and no snapshot on the register", async () => {
    const { records } = store;
    const first = await capture("one", { key: "k" });
    const second = await capture("two", { key: "k" });
    const early = await capture("early");
    await forget([early]);
    await records.snapshots.add("n", "5".repeat(64));
    const seed = newMemory("seed");
    await records.reset([seed], EMPTY, FORGETTER);
    for (const memory of [first, second])
      expect(await records.memories.tombstone(memory.memoryId)).toEqual({
        tombstone: tombstoneOf(memory, "reset"),
        sourceAgent: "s",
        anchoredReceipts: 0,
        isNamedInPublic: false,
      });
    expect((await records.memories.tombstone(early.memoryId))?.tombstone.cause).toBe("forgotten");
    expect(await records.memories.tombstone(seed.memoryId)).toBeUndefined();
    expect(await records.memories.findAll([first, second, early].map(({ memoryId }) => memoryId))).toEqual(new Map());
    expect((await records.memories.page({ limit: 10, superseded: true })).memories).toEqual([]);
    expect(await records.snapshots.all()).toEqual(new Map());
  });
}
