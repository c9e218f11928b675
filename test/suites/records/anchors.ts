import { expect, test } from "vitest";
import { AT, anchorOf, OUTCOME, receipt } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function anchorSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("the first anchor of each blob is kept, across a restart, and pages go by blob id", async () => {
    const { records } = store;
    await records.receipts.add(receipt(1));
    const issued = anchorOf(receipt(1), { blobId: "b1" });
    const foreign = anchorOf(receipt(9), { blobId: "b2", issued: false });
    await records.anchors.add(issued);
    await records.anchors.add(foreign);
    await records.anchors.add({ ...issued, anchoredAt: "later" });
    const { anchors } = await store.restart();
    expect(await anchors.page({ limit: 10 })).toEqual([issued, foreign]);
    expect(await anchors.page({ after: "b1", limit: 10 })).toEqual([foreign]);
  });

  test("an issued receipt publishes its blob and those of the memories that it names, and a foreign one nothing", async () => {
    const { records } = store;
    const naming = (answerId: string, storeRef: string) => {
      const sample = receipt(1);
      return {
        ...sample,
        answerId,
        body: JSON.stringify({ answerId, usedMemories: [{ memoryId: `mem_${storeRef}`, storeRef }] }),
      };
    };
    await records.receipts.add(naming("ans_1", "m1"));
    await records.anchors.add(anchorOf(naming("ans_1", "m1"), { blobId: "b1" }));
    await records.anchors.add(anchorOf(naming("ans_9", "m9"), { blobId: "b9", issued: false }));
    const { anchors } = await store.restart();
    const published = await Promise.all(["b1", "m1", "b9", "m9"].map((id) => anchors.isPublished(id)));
    expect(published).toEqual([true, true, false, false]);
  });

  test("a sealed form is told from an open one by its members, whatever their order", async () => {
    const { records } = store;
    const bodies = [
      { answerId: "ans_1", usedMemories: [], evidence: { commitments: {} } },
      { answerId: "ans_2", commitments: { "/usedMemories": "00" } },
      { $schema: "x", commitments: {}, answerId: "ans_3" },
    ];
    for (const { answerId, ...rest } of bodies) {
      const issued = { ...receipt(1), answerId, body: JSON.stringify({ answerId, ...rest }) };
      await records.receipts.add(issued);
      await records.anchors.add(anchorOf(issued, { blobId: `blob of ${answerId}` }));
    }
    const { receipts } = await records.receipts.page({ limit: 10 });
    expect(receipts.map(({ anchor }) => anchor?.sealed ?? false)).toEqual([true, true, false]);
  });

  test("an anchor is found by each of its ids, and by the answer's only if the receipt was issued here", async () => {
    const { records } = store;
    await records.receipts.add(receipt(1));
    await records.receipts.add(receipt(2));
    const issued = anchorOf(receipt(1), { blobId: "b1", digest: "d1", body: '{"commitments":{}}' });
    const foreign = anchorOf(receipt(2), { blobId: "b2", digest: "d2", issued: false });
    await records.anchors.add(issued);
    await records.anchors.add(foreign);
    const request = async (blob: string, claimed: string[], outcome: Partial<typeof OUTCOME>) => {
      const wanted = { agentId: "a", blobId: `b${blob}`, digest: `d${blob}`, claimed, policyVersion: 1 };
      const { id } = await records.chainAnchors.request(wanted, AT);
      await records.chainAnchors.complete({ ...OUTCOME, id, ...outcome });
    };
    await request("1", ["x"], { receiptId: "0xb", txDigest: "t1", anchoredAt: "2026-01-02T00:00:00.000Z" });
    await request("1", [], { receiptId: "0xa", txDigest: "t1", anchoredAt: "2026-01-03T00:00:00.000Z" });
    await request("2", [], { receiptId: "0xc", txDigest: "t2", allAuthorized: true });
    await records.chainAnchors.request(
      { agentId: "a", blobId: "b1", digest: "d1", claimed: ["y"], policyVersion: 1 },
      AT,
    );
    const { anchors } = await store.restart();

    const blob = { blobId: "b1", digest: "d1", anchoredAt: AT, sealed: true };
    const first = {
      ...blob,
      anchoredAt: "2026-01-02T00:00:00.000Z",
      receiptId: "0xb",
      txDigest: "t1",
      allAuthorized: false,
      issued: true,
    };
    const second = { ...first, anchoredAt: "2026-01-03T00:00:00.000Z", receiptId: "0xa" };
    const third = {
      blobId: "b2",
      digest: "d2",
      anchoredAt: AT,
      sealed: false,
      receiptId: "0xc",
      txDigest: "t2",
      allAuthorized: true,
      issued: false,
    };
    const whole = { blobs: [blob], onLedger: [first, second] };
    expect(await anchors.find(receipt(1).answerId, 9)).toEqual(whole);
    expect(await anchors.find("b1", 9)).toEqual(whole);
    expect(await anchors.find("d1", 9)).toEqual(whole);
    expect(await anchors.find("d1", 1)).toEqual({ blobs: [blob], onLedger: [first] });
    expect(await anchors.find("t1", 9)).toEqual({ blobs: [], onLedger: [first, second] });
    expect(await anchors.find("0xa", 9)).toEqual({ blobs: [], onLedger: [second] });
    expect(await anchors.find("b2", 9)).toEqual({ blobs: [], onLedger: [third] });
    // On record, but not anchored as issued here; and what nobody has.
    for (const id of [receipt(2).answerId, "none", "", "__proto__"])
      expect(await anchors.find(id, 9)).toEqual({ blobs: [], onLedger: [] });
  });

  test("an anchor that claims a receipt which was never issued is refused", async () => {
    const claim = anchorOf(receipt(9));
    await expect(store.records.anchors.add(claim)).rejects.toMatchObject({ code: "records-unavailable" });
  });
}
