// Questions that are kept with receipts: how long, and what ends them.
import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { MemoryOnRecord } from "#ports.ts";
import { AT, anchorOf, LONG_AGO, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const QUESTION = { text: "What is for dinner?", encrypted: false };
const LATER = "2026-02-01T00:00:00.000Z";

export function questionSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (content: string, fields: Partial<MemoryOnRecord> = {}) =>
    store.records.memories.add(newMemory(content, fields));
  const ask = (i: number, memories: readonly MemoryOnRecord[], question = QUESTION) =>
    store.records.receipts.add(receipt(i, { memoryIds: memories.map(({ memoryId }) => memoryId), question }));
  const kept = async (i: number) => (await store.records.receipts.find(receipt(i).answerId))?.question;
  const forget = (...memories: readonly MemoryOnRecord[]) =>
    store.records.memories.forget({ memoryIds: memories.map(({ memoryId }) => memoryId), cause: "forgotten" }, STAMP);

  test("a question comes with its receipt, alone and in pages, also after a restart, encrypted or not", async () => {
    const memory = await capture("fact");
    await ask(1, [memory]);
    await ask(2, [memory], { text: "encrypted:c2VhbGVk", encrypted: true });
    await store.records.receipts.add(receipt(3));
    await store.restart();
    expect([await kept(1), await kept(2), await kept(3)]).toEqual([
      QUESTION,
      { text: "encrypted:c2VhbGVk", encrypted: true },
      undefined,
    ]);
    const { receipts } = await store.records.receipts.page({ limit: 10 });
    expect(receipts.map(({ question }) => question?.encrypted)).toEqual([undefined, true, false]);
  });

  test("it goes with any memory of its receipt, current or history, and not when one is only superseded", async () => {
    const [one, other, old] = [await capture("one"), await capture("other"), await capture("old")];
    await ask(1, [one, other]);
    await ask(2, [other]);
    await ask(3, [old]);
    await ask(4, []);
    await forget(one);
    expect([await kept(1), await kept(2)]).toEqual([undefined, QUESTION]);
    await capture("new", { supersedes: old.memoryId });
    expect(await kept(3)).toEqual(QUESTION);
    await forget(old);
    expect([await kept(2), await kept(3), await kept(4)]).toEqual([QUESTION, undefined, QUESTION]);
  });

  test("it goes when a memory expires, and when a reset forgets all of them", async () => {
    const [brief, lasting] = [await capture("brief"), await capture("lasting")];
    await ask(1, [brief]);
    await ask(2, [lasting]);
    await capture("brief", { expiresAt: LONG_AGO, contentDigest: brief.contentDigest });
    while ((await store.records.memories.forgetExpired(10)) > 0);
    expect([await kept(1), await kept(2)]).toEqual([undefined, QUESTION]);
    await store.records.reset([], policyFrom([]), STAMP);
    expect(await kept(2)).toBeUndefined();
  });

  test("a memory that hundreds of questions asked for takes all of them along", async () => {
    const memory = await capture("popular");
    await Promise.all(Array.from({ length: 1_100 }, (_, i) => ask(i + 1, [memory])));
    await forget(memory);
    const { receipts } = await store.records.receipts.page({ limit: 2_000 });
    expect(receipts).toHaveLength(1_100);
    expect(receipts.filter(({ question }) => question !== undefined)).toEqual([]);
  });

  test("it is not kept when a memory is gone already, or the answer was given up before", async () => {
    const memory = await capture("fact");
    await forget(memory);
    await ask(1, [memory]);
    const { receipts } = store.records;
    await receipts.begin(receipt(2));
    await receipts.breakOff({ answerId: receipt(2).answerId, agentId: "a", at: AT, reason: "records-failed" });
    await expect(ask(2, [])).rejects.toMatchObject({ code: "model-timeout" });
    expect([await kept(1), await kept(2)]).toEqual([undefined, undefined]);
  });

  test("an answer that is broken off keeps its receipt and loses its question", async () => {
    await ask(1, []);
    const { answerId } = receipt(1);
    await store.records.receipts.breakOff({ answerId, agentId: "a", at: AT, reason: "policy-changed" });
    expect(await store.records.receipts.find(answerId)).toMatchObject({ status: "broken-off" });
    expect(await kept(1)).toBeUndefined();
  });

  test("it is pruned with its receipt, and stays with an anchored one", async () => {
    const { retention, anchors, receipts } = store.records;
    for (const i of [1, 2]) await ask(i, []);
    await anchors.add(anchorOf(receipt(1)));
    await retention.remove({ answerIds: [1, 2].map((i) => receipt(i).answerId) });
    expect(await kept(1)).toEqual(QUESTION);
    // The same id again, as an import would bring it.
    await receipts.add(receipt(2, { createdAt: LATER }));
    expect(await kept(2)).toBeUndefined();
  });

  test("a forgetting and an answer that race leave no question of a forgotten memory", async () => {
    for (let i = 1; i <= 20; i++) {
      const memory = await capture(`raced ${i}`);
      await Promise.all([ask(i, [memory]), forget(memory)]);
      expect(await kept(i)).toBeUndefined();
    }
  });
}
