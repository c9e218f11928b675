import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { IssuedReceipt } from "#ports.ts";
import { AT, anchorOf, OUTCOME, receipt, SEED, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function receiptSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a receipt counts as issued only with exactly its body, also after a reset and a restart", async () => {
    const { records } = store;
    const issued = receipt(1, { body: "{}" });
    await records.receipts.add(issued);
    await records.reset([], policyFrom([]), STAMP);
    const { receipts } = await store.restart();
    expect(await receipts.isIssued(issued.answerId, "{}")).toBe(true);
    expect(await receipts.isIssued(issued.answerId, "{ }")).toBe(false);
    expect(await receipts.isIssued(receipt(2).answerId, "{}")).toBe(false);
    await expect(receipts.add(issued)).rejects.toMatchObject({ code: "records-unavailable" });
  });

  test("a receipt comes with its blob anchor, its chain anchors and the number of pending requests", async () => {
    const { receipts, anchors, chainAnchors } = store.records;
    const [plain, stored] = [receipt(1), receipt(2)];
    await receipts.add(plain);
    await receipts.add(stored);
    const nothing = { seed: SEED, status: "issued", anchor: null, chain: [], pending: 0 };
    expect(await receipts.find(plain.answerId)).toEqual({ body: plain.body, ...nothing });
    expect(await receipts.find("ans_none")).toBeUndefined();

    const { blobId, digest, anchoredAt } = anchorOf(stored);
    await anchors.add(anchorOf(stored));
    // A changed copy is not this receipt, whatever id it names.
    await anchors.add(anchorOf(stored, { blobId: "forged", digest: "other", issued: false, body: "{}" }));
    const request = { agentId: stored.agentId, blobId, digest, policyVersion: "newest" as const };
    const first = await chainAnchors.request({ ...request, claimed: ["a", "b"] }, AT);
    const earlier = { ...OUTCOME, receiptId: "0x2" };
    await chainAnchors.complete({ id: first.id, ...earlier });
    const second = await chainAnchors.request({ ...request, claimed: [] }, AT);
    const later = { ...OUTCOME, allAuthorized: true, anchoredAt: "2026-01-02T04:00:00.000Z" };
    await chainAnchors.complete({ id: second.id, ...later });
    await chainAnchors.request({ ...request, claimed: ["c"] }, AT);

    const { ledgerVersion: _, ...earlierEntry } = earlier;
    const { ledgerVersion: __, ...laterEntry } = later;
    const expected = {
      body: stored.body,
      seed: SEED,
      status: "issued",
      anchor: { blobId, anchoredAt },
      chain: [
        { ...earlierEntry, claimed: ["a", "b"] },
        { ...laterEntry, claimed: [] },
      ],
      pending: 1,
    };
    expect(await receipts.find(stored.answerId)).toEqual(expected);
    expect((await receipts.page({ limit: 10 })).receipts).toEqual([expected, { body: plain.body, ...nothing }]);
    expect(await anchors.counts()).toEqual({ blobs: 2, onLedger: 2, pending: 1 });
  });

  test("answers are counted by the hour, with the used, verified and intact memories", async () => {
    const { receipts } = store.records;
    const add = (hour: string, i: number, fields: Partial<IssuedReceipt>) =>
      receipts.add(receipt(i, { createdAt: `2026-01-02T${hour}:59:59.999Z`, ...fields }));
    await add("03", 1, { used: 3, verified: 2, intact: 1 });
    await add("05", 2, { used: 0, verified: 0, intact: 0 });
    await add("05", 3, { used: 4, verified: 4, intact: 4 });
    const five = { hour: "2026-01-02T05", answers: 2, used: 4, verified: 4, intact: 4, brokenOff: 0 };
    expect(await receipts.byHour("2026-01-02T04")).toEqual([five]);
    expect(await receipts.byHour("2026-01-02T03")).toEqual([
      { hour: "2026-01-02T03", answers: 1, used: 3, verified: 2, intact: 1, brokenOff: 0 },
      five,
    ]);
    expect(await receipts.byHour("2026-01-03T00")).toEqual([]);
  });

  test("a refused receipt is not counted", async () => {
    const { receipts } = store.records;
    await receipts.add(receipt(1));
    await expect(receipts.add(receipt(1))).rejects.toMatchObject({ code: "records-unavailable" });
    expect((await receipts.byHour("2026")).map(({ answers }) => answers)).toEqual([1]);
    expect((await receipts.page({ limit: 10 })).receipts).toHaveLength(1);
  });
}
