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

  test("an anchor that claims a receipt which was never issued is refused", async () => {
    const claim = anchorOf(receipt(9));
    await expect(store.records.anchors.add(claim)).rejects.toMatchObject({ code: "records-unavailable" });
  });
}
