import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { RecordStore } from "#ports.ts";
import { AT, anchorOf, newMemory, OUTCOME, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function eventSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const all = ({ events }: RecordStore) => events.after({ after: 0, limit: 1_000 });
  const kinds = async (records: RecordStore) => (await all(records)).map(({ kind }) => kind);

  test("each change is one event with ids and names, also after a restart", async () => {
    const { records } = store;
    const memory = newMemory("secret words", { namespace: "health", sourceAgent: "app" });
    await records.memories.add(memory);
    const rule = { agentId: "a", namespace: "health", allowed: true };
    await records.policy.set(rule, STAMP);
    await records.policy.set(rule, STAMP);
    const issued = receipt(1, { agentId: "a" });
    await records.receipts.add(issued);
    await records.anchors.add(anchorOf(issued));
    await records.anchors.add(anchorOf(issued));
    const { answerId } = issued;
    const { blobId, digest } = anchorOf(issued);
    const wanted = { agentId: "a", blobId, digest, claimed: [], policyVersion: "newest" as const };
    const { id } = await records.chainAnchors.request(wanted, AT);
    await records.chainAnchors.complete({ id, ...OUTCOME });
    await records.chainAnchors.complete({ id, ...OUTCOME });
    const foreign = receipt(2, { agentId: "a" });
    await records.anchors.add(anchorOf(foreign, { issued: false }));

    const events = await all(await store.restart());
    const { memoryId } = memory;
    const anchored = { at: AT, kind: "receipt-anchored", answerId, agentId: "a", blobId };
    expect(events.map(({ sequence: _, ...event }) => event)).toEqual([
      { at: AT, kind: "memory-captured", memoryId, namespace: "health", sourceAgent: "app" },
      { at: AT, kind: "policy-changed", version: 1, changed: rule },
      { at: AT, kind: "receipt-issued", answerId, agentId: "a" },
      anchored,
      { ...anchored, receiptId: OUTCOME.receiptId, txDigest: OUTCOME.txDigest },
      { ...anchored, answerId: foreign.answerId, agentId: null, blobId: anchorOf(foreign).blobId },
    ]);
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(JSON.stringify(events)).not.toContain("secret words");
  });

  test("a reset is an event for everybody, whatever there was to forget, before what it captures", async () => {
    const { records } = store;
    await records.reset([], policyFrom([]), STAMP);
    await records.reset([newMemory("seed")], policyFrom([]), STAMP);
    const reset = ["memory-forgotten", "policy-changed"];
    expect(await kinds(records)).toEqual([...reset, ...reset, "memory-captured"]);
    expect((await all(records))[1]).not.toHaveProperty("changed");
  });

  test("a change that fails, or a fact that is on record already, is no event", async () => {
    const { records } = store;
    const memory = newMemory("one");
    await records.memories.add(memory);
    await records.memories.add({ ...memory, memoryId: "mem_again" });
    await records.receipts.add(receipt(1));
    await expect(records.receipts.add(receipt(1))).rejects.toMatchObject({ code: "records-unavailable" });
    expect(await kinds(records)).toEqual(["memory-captured", "receipt-issued"]);
  });

  test("a reader who follows by sequence misses nothing, while two replicas write at once", async () => {
    const { records } = store;
    const other = await store.openAgain();
    let isWriting = true;
    const writing = Promise.all(
      [records, other].flatMap((each, replica) =>
        Array.from({ length: 20 }, async (_, i) => {
          await each.memories.add(newMemory(`${replica} ${i}`));
          await each.receipts.add(receipt(replica * 100 + i));
          await each.policy.set({ agentId: "a", namespace: `${replica} ${i}`, allowed: true }, STAMP);
        }),
      ),
    ).finally(() => {
      isWriting = false;
    });
    const seen: number[] = [];
    let isLastRound = false;
    while (!isLastRound) {
      // A store that reads at once must not keep the writers from their turn.
      await nextTurn();
      isLastRound = !isWriting;
      const events = await records.events.after({ after: seen.at(-1) ?? 0, limit: 7 });
      seen.push(...events.map(({ sequence }) => sequence));
      if (events.length > 0) isLastRound = false;
    }
    await writing;
    expect(seen).toEqual(Array.from({ length: 120 }, (_, i) => i + 1));
    expect(await records.events.position()).toEqual({ head: 120, floor: 0 });
  });

  test("old events are forgotten from the oldest on, without a gap, and no sequence is used again", async () => {
    const { records } = store;
    const at = (hour: string) => `2026-01-02T${hour}:00:00.000Z`;
    for (const hour of ["01", "02", "05", "03"]) await records.memories.add(newMemory("x", { createdAt: at(hour) }));
    expect(await records.events.prune(at("01"))).toBe(0);
    expect(await records.events.prune(at("04"))).toBe(2);
    // The fourth is older than that, and stays as long as the third.
    expect((await all(records)).map(({ sequence }) => sequence)).toEqual([3, 4]);
    expect(await records.events.position()).toEqual({ head: 4, floor: 2 });
    // The newest stays, whatever its time.
    expect(await records.events.prune(at("06"))).toBe(1);
    expect(await records.events.position()).toEqual({ head: 4, floor: 3 });
    expect(await records.events.prune(at("06"))).toBe(0);
    await records.memories.add(newMemory("x"));
    expect((await all(await store.restart())).map(({ sequence }) => sequence)).toEqual([4, 5]);
  });
}
