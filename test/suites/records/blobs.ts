import { expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { AT, anchorOf, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function blobSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a lease is recorded with its memory, with a reset, or later, and the newest one counts", async () => {
    const { records } = store;
    const lease = { blobId: "ref", endEpoch: 7, objectId: "0x1", storedAt: AT, endsAt: "2026-01-09T00:00:00.000Z" };
    await records.memories.add(newMemory("a"), lease);
    expect(await records.leases.find("ref")).toEqual(lease);
    const renewed = { blobId: "ref", storedAt: "2026-02-01T00:00:00Z" };
    await records.leases.put(renewed);
    expect(await records.leases.find("ref")).toEqual(renewed);
    await records.anchors.add(anchorOf(receipt(9), { blobId: "anchored", issued: false }), {
      ...lease,
      blobId: "anchored",
    });
    await records.reset([], policyFrom([]), STAMP, [{ ...lease, blobId: "seed" }]);
    const { leases } = await store.restart();
    // Nothing has this blob any more, so nobody renews it.
    expect(await leases.find("ref")).toBeUndefined();
    expect(await leases.find("seed")).toEqual({ ...lease, blobId: "seed" });
    expect(await leases.find("other")).toBeUndefined();
    const found = await leases.findAll(["seed", "other", "anchored"]);
    expect(new Map(found.map((each) => [each.blobId, each]))).toEqual(
      new Map(["anchored", "seed"].map((blobId) => [blobId, { ...lease, blobId }])),
    );
  });

  test("a lease of a blob that neither a memory nor an anchor has is not recorded", async () => {
    const { leases, memories } = store.records;
    await leases.put({ blobId: "nobody's", storedAt: AT });
    expect(await leases.find("nobody's")).toBeUndefined();
    const memory = newMemory("a");
    await memories.add(memory, { blobId: "ref", storedAt: AT });
    await memories.forget({ memoryIds: [memory.memoryId], cause: "forgotten" }, STAMP);
    await leases.put({ blobId: "ref", storedAt: AT });
    expect(await leases.find("ref")).toBeUndefined();
  });

  test("the first end of a lease is that of an anchored receipt of ours, or of a memory that it names", async () => {
    const { records } = store;
    const lease = (blobId: string, day: number) => ({ blobId, storedAt: AT, endsAt: `2026-03-0${day}T00:00:00.000Z` });
    const usedMemories = ["m2", "m3"].map((storeRef) => ({ memoryId: `mem_${storeRef}`, storeRef }));
    const body = JSON.stringify({ usedMemories });
    for (const i of [1, 2, 3]) await records.memories.add(newMemory(`${i}`, { storeRef: `m${i}` }), lease(`m${i}`, i));
    await records.anchors.add(anchorOf(receipt(8), { issued: false, body, blobId: "foreign" }), lease("foreign", 1));
    expect(await records.leases.firstEndOfPublished()).toBeUndefined();
    const issued = receipt(9, { body });
    await records.receipts.add(issued);
    await records.anchors.add(anchorOf(issued, { blobId: "ours" }), lease("ours", 4));
    expect(await records.leases.firstEndOfPublished()).toBe(lease("", 2).endsAt);
    await records.leases.put(lease("m2", 9));
    expect(await records.leases.firstEndOfPublished()).toBe(lease("", 3).endsAt);
    await records.leases.put(lease("m3", 8));
    expect(await (await store.restart()).leases.firstEndOfPublished()).toBe(lease("", 4).endsAt);
    // The blob of a memory that gets its lease only after it was anchored counts as well.
    await store.records.anchors.add(anchorOf(issued, { blobId: "again" }));
    await store.records.leases.put(lease("again", 1));
    expect(await store.records.leases.firstEndOfPublished()).toBe(lease("", 1).endsAt);
  });

  test("the text of a blob is the canonical JSON of a memory's fact, or of an anchored receipt", async () => {
    const { records } = store;
    const fact = { content: 'b "quoted"\n😀', namespace: "__proto__", sourceAgent: "s" };
    const same = [1, 2].map(() => newMemory(fact.content, { ...fact, storeRef: "m1" }));
    const other = newMemory("other", { storeRef: "m2" });
    for (const each of [...same, other]) await records.memories.add(each);
    await records.anchors.add(anchorOf(receipt(9), { blobId: "b1", issued: false, body: "{}" }));
    const { blobTexts, reset } = await store.restart();
    expect(await blobTexts.count()).toBe(4);
    expect(await blobTexts.find("m1")).toMatchObject({ text: canonicalJson(fact), namespace: "__proto__" });
    expect(await blobTexts.find("m2")).toMatchObject({ memoryId: other.memoryId });
    expect(await blobTexts.find("b1")).toEqual({ text: "{}" });
    expect(await blobTexts.find("m3")).toBeUndefined();
    await reset([], policyFrom([]), STAMP);
    expect(await blobTexts.find("m1")).toBeUndefined();
  });

  test("the first value under a name stays, for all callers and across a restart", async () => {
    const values = Array.from({ length: 8 }, (_, i) => Uint8Array.of(i, 255));
    const { writeOnce } = store.records;
    expect(await writeOnce.find("local-ledger-key")).toBeUndefined();
    const answers = await Promise.all(values.map((value) => writeOnce.putIfAbsent("local-ledger-key", value)));
    expect(new Set(answers.map((value) => value[0])).size).toBe(1);
    const later = await (await store.restart()).writeOnce.putIfAbsent("local-ledger-key", Uint8Array.of(99));
    expect([...later]).toEqual([...(answers[0] ?? [])]);
    expect([...((await store.records.writeOnce.find("local-ledger-key")) ?? [])]).toEqual([...later]);
  });
}
