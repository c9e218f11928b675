import { expect, test } from "vitest";
import type { MemoryOnRecord } from "#ports.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { AT, newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const NOT_FOUND = { code: "not-found" };

export function supersedingSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (content: string, fields: Partial<MemoryOnRecord> = {}) =>
    store.records.memories.add(newMemory(content, fields));
  const listed = async (filter: { superseded?: boolean; namespaces?: string[]; sourceAgent?: string } = {}) =>
    (await store.records.memories.page({ limit: 100, ...filter })).memories.map(({ content }) => content);

  test("a corrected memory leaves the lists and stays as history, and both are linked, across a restart", async () => {
    const old = await capture("old", { storeRef: "blob" });
    const corrected = newMemory("new", { supersedes: old.memoryId });
    expect(await store.records.memories.add(corrected)).toEqual(corrected);
    const { memories, blobTexts } = await store.restart();
    const history = { ...old, supersededBy: corrected.memoryId };
    expect(await memories.find(old.memoryId)).toEqual(history);
    expect(await memories.find(corrected.memoryId)).toEqual(corrected);
    expect(await memories.findAll([old.memoryId, corrected.memoryId])).toEqual(
      new Map([
        [old.memoryId, history],
        [corrected.memoryId, corrected],
      ]),
    );
    expect(await memories.current([old.memoryId, corrected.memoryId])).toEqual(new Set([corrected.memoryId]));
    expect([...(await memories.at([1, 2, 3])).values()]).toEqual([corrected]);
    for (const filter of [{}, { namespaces: ["n"] }, { sourceAgent: "s" }]) {
      expect(await listed(filter)).toEqual(["new"]);
      expect(await listed({ ...filter, superseded: true })).toEqual(["old"]);
    }
    expect((await memories.counts()).byNamespace).toEqual(new Map([["n", 1]]));
    expect((await memories.counts()).bySourceAgent).toEqual(new Map([["s", 1]]));
    expect(await blobTexts.find("blob")).toBeDefined();
    expect(await blobTexts.count()).toBe(2);
    expect(await memories.tombstone(old.memoryId)).toBeUndefined();
  });

  test("the change feed removes the old one and gives the new one", async () => {
    const old = await capture("old");
    const before = await readChanges(store.records.changeFeed);
    await capture("new", { supersedes: old.memoryId });
    const { changes, heads, removals, position } = await readChanges(store.records.changeFeed, before);
    expect(removals).toBeGreaterThan(before.removals);
    expect(changes.map(({ kind }) => kind).sort()).toEqual(["captured", "forgotten"]);
    expect(changes.find(({ kind }) => kind === "forgotten")).toMatchObject({ captured: 1, namespace: "n" });
    expect(heads).toEqual([{ namespace: "n", memories: 1, isEncrypted: false, head: 3 }]);
    expect(position).toBe(3);
  });

  test("the event of a superseded memory names its successor", async () => {
    const { events } = store.records;
    const old = await capture("old");
    const { head } = await events.position();
    const { memoryId } = await capture("new", { supersedes: old.memoryId });
    const happened = await events.after({ after: head, limit: 10 });
    expect(happened.map(({ kind }) => kind).sort()).toEqual(["memory-captured", "memory-superseded"]);
    expect(happened.find(({ kind }) => kind === "memory-superseded")).toMatchObject({
      memoryId: old.memoryId,
      supersededBy: memoryId,
      namespace: "n",
      sourceAgent: "s",
    });
  });

  test("only a current memory of the same namespace is superseded, and a refusal leaves no trace", async () => {
    const { memories, changeFeed, decisions } = store.records;
    const [old, other] = [await capture("old"), await capture("other", { namespace: "m" })];
    const corrected = await capture("new", { supersedes: old.memoryId });
    await memories.forget({ memoryIds: [other.memoryId], cause: "forgotten" }, STAMP);
    const elsewhere = await capture("elsewhere", { namespace: "m" });
    const before = await readChanges(changeFeed);
    for (const supersedes of [old.memoryId, other.memoryId, elsewhere.memoryId, "none"])
      await expect(capture("x", { supersedes })).rejects.toMatchObject(NOT_FOUND);
    expect(await readChanges(changeFeed)).toEqual(before);
    expect((await decisions.page({ limit: 10 })).decisions).toEqual([]);
    expect((await memories.find(old.memoryId))?.supersededBy).toBe(corrected.memoryId);
  });

  test("a refused correction does not void the captures of the same commit", async () => {
    const old = await capture("old");
    const results = await Promise.allSettled([
      capture("a"),
      capture("b", { supersedes: "none" }),
      capture("c", { supersedes: old.memoryId }),
      capture("d", { key: "k" }),
      capture("e", { supersedes: old.memoryId }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "fulfilled",
      "rejected",
    ]);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(NOT_FOUND);
    expect((await listed()).sort()).toEqual(["a", "c", "d"]);
  });

  test("of many corrections of one memory at once, from all replicas, one takes its place", async () => {
    const old = await capture("old");
    const stores = [store.records, await store.openAgain()];
    const results = await Promise.allSettled(
      Array.from({ length: 12 }, (_, i) =>
        (stores[i % 2] as (typeof stores)[number]).memories.add(newMemory(`${i}`, { supersedes: old.memoryId })),
      ),
    );
    const taken = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
    expect(taken).toHaveLength(1);
    for (const result of results) if (result.status === "rejected") expect(result.reason).toMatchObject(NOT_FOUND);
    expect((await store.records.memories.find(old.memoryId))?.supersededBy).toBe(taken[0]?.memoryId);
    expect(await listed()).toEqual([taken[0]?.content]);
  });

  test("a fact that is on record may take the place of another, and stays one memory", async () => {
    const { memories } = store.records;
    const [old, known] = [await capture("old"), await capture("known", { contentDigest: "known" })];
    const answered = await capture("known", { contentDigest: "known", supersedes: old.memoryId });
    expect(answered.memoryId).toBe(known.memoryId);
    expect((await memories.find(old.memoryId))?.supersededBy).toBe(known.memoryId);
    expect(await listed()).toEqual(["known"]);
  });

  test("a superseded fact is not the same fact again", async () => {
    const first = await capture("a", { contentDigest: "same" });
    await capture("b", { supersedes: first.memoryId });
    const again = await capture("a", { contentDigest: "same" });
    expect(again.memoryId).not.toBe(first.memoryId);
    expect((await listed()).sort()).toEqual(["a", "b"]);
  });

  test("a pinned memory gives up its pin, and its successor is not pinned", async () => {
    const { memories } = store.records;
    const old = await capture("old");
    await memories.setPinned({ memoryId: old.memoryId, pinned: true, limit: 1 }, STAMP);
    const corrected = await capture("new", { supersedes: old.memoryId });
    expect(corrected.pinned).toBeUndefined();
    expect(await memories.setPinned({ memoryId: old.memoryId, pinned: true, limit: 9 }, STAMP)).toEqual({
      kind: "not-found",
    });
    expect((await memories.setPinned({ memoryId: corrected.memoryId, pinned: true, limit: 1 }, STAMP)).kind).toBe(
      "set",
    );
  });

  test("a superseded memory can be forgotten: its tombstone says so, and the change feed has nothing new", async () => {
    const { memories, changeFeed } = store.records;
    const old = await capture("old", { storeRef: "blob" });
    await capture("new", { supersedes: old.memoryId });
    const before = await readChanges(changeFeed);
    const forgotten = await memories.forget({ memoryIds: [old.memoryId], cause: "forgotten", reason: "why" }, STAMP);
    const tombstone = {
      memoryId: old.memoryId,
      namespace: "n",
      cause: "forgotten",
      reason: "why",
      forgottenBy: STAMP.by,
      forgottenAt: AT,
    };
    expect(forgotten).toEqual([{ tombstone, storeRef: "blob", anchoredReceipts: 0 }]);
    expect(await memories.find(old.memoryId)).toBeUndefined();
    expect(await listed({ superseded: true })).toEqual([]);
    expect((await memories.tombstone(old.memoryId))?.tombstone).toEqual(tombstone);
    expect(await readChanges(changeFeed, before)).toMatchObject({ changes: [], position: before.position });
    expect(await memories.forget({ memoryIds: [old.memoryId], cause: "forgotten" }, STAMP)).toEqual([]);
  });

  test("pages of history have the same filters as pages of current memories", async () => {
    const { memories } = store.records;
    for (let i = 0; i < 10; i++) {
      const fields = {
        namespace: i % 2 ? "m" : "n",
        sourceAgent: i % 3 ? "s" : "t",
        createdAt: `2026-01-0${i}T00:00:00.000Z`,
      };
      const old = await capture(`Fact ${i}`, fields);
      await capture(`later ${i}`, { ...fields, supersedes: old.memoryId });
    }
    const history = async (filter: object) => {
      const contents: string[] = [];
      for (let before: number | undefined; ; ) {
        const page = await memories.page({ limit: 2, superseded: true, ...filter, ...(before && { before }) });
        contents.push(...page.memories.map(({ content }) => content.slice(-1)));
        if (page.next === undefined) return contents.join("");
        before = page.next;
      }
    };
    expect(await history({})).toBe("9876543210");
    expect(await history({ namespaces: ["n"] })).toBe("86420");
    expect(await history({ sourceAgent: "t" })).toBe("9630");
    expect(await history({ namespaces: ["n"], sourceAgent: "t" })).toBe("60");
    expect(await history({ contains: "fact 7" })).toBe("7");
    expect(await history({ createdBefore: "2026-01-03T00:00:00.000Z" })).toBe("210");
    const current = await memories.page({ limit: 10, createdBefore: "2026-01-03T00:00:00.000Z", namespaces: ["n"] });
    expect(current.memories.map(({ content }) => content)).toEqual(["later 2", "later 0"]);
  });
}
