import { expect, test } from "vitest";
import { anchorOf, receipt } from "./samples.ts";
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
      return { ...sample, answerId, body: JSON.stringify({ answerId, usedMemories: [{ storeRef }] }) };
    };
    await records.receipts.add(naming("ans_1", "m1"));
    await records.anchors.add(anchorOf(naming("ans_1", "m1"), { blobId: "b1" }));
    await records.anchors.add(anchorOf(naming("ans_9", "m9"), { blobId: "b9", issued: false }));
    const { anchors } = await store.restart();
    const published = await Promise.all(["b1", "m1", "b9", "m9"].map((id) => anchors.isPublished(id)));
    expect(published).toEqual([true, true, false, false]);
  });

  test("an anchor that claims a receipt which was never issued is refused", async () => {
    const claim = anchorOf(receipt(9));
    await expect(store.records.anchors.add(claim)).rejects.toMatchObject({ code: "records-unavailable" });
  });
}
