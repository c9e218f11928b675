import { expect, test } from "vitest";
import type { OpenedReceipt } from "#ports.ts";
import { AT, anchorOf, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const using = (i: number, ...memoryIds: string[]) => {
  const usedMemories = memoryIds.map((memoryId) => ({ memoryId, storeRef: "ref" }));
  return receipt(i, { memoryIds, body: JSON.stringify({ usedMemories }) });
};
const idOf = (i: number) => receipt(i).answerId;

export function useSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const answers = async (memoryId: string) =>
    (await store.records.memories.uses(memoryId, { limit: 100 })).uses.map(({ answerId }) => answerId);

  test("the answers that were given a memory are found, newest first, with their end, across a restart", async () => {
    const { receipts } = store.records;
    const begun = ({ used: _, verified: __, intact: ___, ...rest }: ReturnType<typeof receipt>): OpenedReceipt => rest;
    for (const i of [1, 2, 3, 4]) await receipts.begin(begun(using(i, "a", ...(i % 2 ? ["b"] : []))));
    await receipts.add(using(1, "a", "b"));
    await receipts.add({ ...using(2, "a"), agentId: "a" });
    await receipts.breakOff({ answerId: idOf(3), agentId: "a", at: AT, reason: "caller-gone" });
    await receipts.add(using(5, "c"));
    const { memories } = await store.restart();
    const use = (i: number, status: string) => ({ answerId: idOf(i), agentId: "a", createdAt: AT, status });
    expect(await memories.uses("a", { limit: 10 })).toEqual({
      uses: [use(4, "begun"), use(3, "broken-off"), use(2, "issued"), use(1, "issued")],
    });
    expect(await answers("b")).toEqual([idOf(3), idOf(1)]);
    expect(await answers("c")).toEqual([idOf(5)]);
    expect(await answers("none")).toEqual([]);
  });

  test("uses come in pages, and the last page says so", async () => {
    for (let i = 1; i <= 5; i++) await store.records.receipts.add(using(i, "a"));
    const { memories } = store.records;
    const first = await memories.uses("a", { limit: 2 });
    expect(first.uses.map(({ answerId }) => answerId)).toEqual([idOf(5), idOf(4)]);
    const second = await memories.uses("a", { limit: 2, before: first.next ?? "" });
    expect(second.uses.map(({ answerId }) => answerId)).toEqual([idOf(3), idOf(2)]);
    const third = await memories.uses("a", { limit: 2, before: second.next ?? "" });
    expect(third.uses.map(({ answerId }) => answerId)).toEqual([idOf(1)]);
    expect(third.next).toBeUndefined();
    expect((await memories.uses("a", { limit: 5 })).next).toBeUndefined();
  });

  test("a use stays when its memory is forgotten, and goes when its receipt is pruned", async () => {
    const { memories, receipts, retention, anchors } = store.records;
    const memory = await memories.add(newMemory("a"));
    const naming = (i: number) => using(i, memory.memoryId);
    for (const i of [1, 2]) await receipts.add(naming(i));
    await receipts.begin(naming(3));
    await receipts.breakOff({ answerId: idOf(3), agentId: "a", at: AT, reason: "caller-gone" });
    await anchors.add(anchorOf(naming(2)));
    await memories.forget({ memoryIds: [memory.memoryId], cause: "forgotten" }, STAMP);
    expect(await answers(memory.memoryId)).toEqual([idOf(3), idOf(2), idOf(1)]);
    await retention.remove({ answerIds: [1, 2, 3].map(idOf) });
    // An anchored receipt is never pruned.
    expect(await answers(memory.memoryId)).toEqual([idOf(2)]);
  });
}
