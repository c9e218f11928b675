import { expect, test } from "vitest";
import { entriesIn } from "#core/log/entry.ts";
import type { BreakReason } from "#core/receipt/receipt.ts";
import { AT, receipt, SEED } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function begunReceiptSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const NOTHING = { seed: SEED, anchor: null, chain: [], pending: 0 };

  /** The begun one has another body than the complete one. */
  const begun = (i: number, createdAt = AT) => ({ ...receipt(i), createdAt, body: `{"begun":${i}}` });
  const broken = (i: number, reason: BreakReason = "caller-gone") => ({
    answerId: receipt(i).answerId,
    agentId: "a",
    at: AT,
    reason,
  });
  const statuses = async () =>
    (await store.records.receipts.page({ limit: 10 })).receipts.map(({ status, reason }) => [status, reason]);

  test("a begun receipt is on record at once, and is not issued", async () => {
    await store.records.receipts.begin(begun(1));
    const { receipts } = await store.restart();
    const { answerId, body } = begun(1);
    expect(await receipts.find(answerId)).toEqual({ body, status: "begun", ...NOTHING });
    expect((await receipts.page({ limit: 10 })).receipts).toEqual([{ body, status: "begun", ...NOTHING }]);
    expect(await receipts.isIssued(answerId, body)).toBe(false);
    expect(await receipts.countBegun()).toBe(1);
    expect(await receipts.byHour("2026")).toEqual([]);
  });

  test("the complete receipt takes the place of the begun one", async () => {
    const { receipts } = store.records;
    await receipts.begin(begun(1));
    await receipts.add(receipt(1));
    const { answerId, body } = receipt(1);
    expect((await receipts.page({ limit: 10 })).receipts).toEqual([{ body, status: "issued", ...NOTHING }]);
    expect(await receipts.isIssued(answerId, body)).toBe(true);
    expect(await receipts.isIssued(answerId, begun(1).body)).toBe(false);
    expect(await receipts.countBegun()).toBe(0);
    await expect(receipts.add(receipt(1))).rejects.toMatchObject({ code: "records-unavailable" });
  });

  test("an answer that was broken off keeps its first reason, and counts once", async () => {
    const { receipts } = store.records;
    await receipts.begin(begun(1));
    await receipts.breakOff(broken(1, "model-failed"));
    await receipts.breakOff(broken(1, "caller-gone"));
    expect(await statuses()).toEqual([["broken-off", "model-failed"]]);
    expect(await receipts.countBegun()).toBe(0);
    expect(await receipts.isIssued(begun(1).answerId, begun(1).body)).toBe(false);
    expect(await receipts.byHour("2026")).toMatchObject([{ answers: 0, brokenOff: 1 }]);
  });

  test("a complete receipt whose answer was broken off stays complete", async () => {
    const { receipts } = store.records;
    await receipts.begin(begun(1));
    await receipts.add(receipt(1));
    await receipts.breakOff(broken(1));
    await receipts.breakOff(broken(1, "failed"));
    const { answerId, body } = receipt(1);
    const expected = { body, status: "broken-off", reason: "caller-gone", ...NOTHING };
    expect(await receipts.find(answerId)).toEqual(expected);
    expect(await receipts.isIssued(answerId, body)).toBe(true);
    expect(await receipts.byHour("2026")).toMatchObject([{ answers: 1, brokenOff: 1 }]);
  });

  test("an answer that was given up has no other end, also when its receipt comes after all", async () => {
    const { receipts } = store.records;
    await receipts.begin(begun(1));
    await receipts.begin(begun(2));
    await receipts.breakOff(broken(1, "records-failed"));
    // A commit that its process took for failed, beside another one.
    const [late, other] = await Promise.allSettled([receipts.add(receipt(1)), receipts.add(receipt(2))]);
    expect(late).toMatchObject({ status: "rejected", reason: { code: "model-timeout" } });
    expect(other.status).toBe("fulfilled");
    const { answerId, body } = begun(1);
    expect(await receipts.find(answerId)).toMatchObject({ body, status: "broken-off", reason: "records-failed" });
    expect(await receipts.byHour("2026")).toMatchObject([{ answers: 1, brokenOff: 1 }]);
  });

  test("of an end and a break that race, the log has one", async () => {
    const { receipts } = store.records;
    const all = Array.from({ length: 40 }, (_, i) => i + 1);
    for (const i of all) await receipts.begin(begun(i));
    await Promise.allSettled(
      all.flatMap((i) => [
        receipts.add(receipt(i)),
        receipts.breakOff(broken(i)),
        receipts.breakOff(broken(i, "failed")),
      ]),
    );
    const found = await Promise.all(all.map((i) => receipts.find(begun(i).answerId)));
    expect(found.every((each) => each?.status === "broken-off")).toBe(true);
    const logged = await store.records.audit(({ rows }) => Array.fromAsync(rows("logBatch")));
    const ends = logged
      .flatMap(entriesIn)
      .filter(({ kind }) => kind === "issued" || kind === "broken-off")
      .map(({ about }) => about);
    expect(ends.toSorted()).toEqual(all.map((i) => begun(i).answerId).toSorted());
  });

  test("what is not on record cannot be broken off", async () => {
    const { receipts, events } = store.records;
    const { head } = await events.position();
    await receipts.breakOff(broken(1));
    expect(await receipts.find(receipt(1).answerId)).toBeUndefined();
    expect((await events.position()).head).toBe(head);
  });

  test("receipts that were begun before a time are abandoned, and have no other end", async () => {
    const { receipts } = store.records;
    await receipts.begin(begun(1, "2026-01-02T03:00:00.000Z"));
    await receipts.begin(begun(2, "2026-01-02T04:00:00.000Z"));
    expect(await receipts.abandon("2026-01-02T04:00:00.000Z")).toBe(1);
    expect(await receipts.abandon("2026-01-02T04:00:00.000Z")).toBe(0);
    expect(await statuses()).toEqual([
      ["begun", undefined],
      ["broken-off", "abandoned"],
    ]);
    const late = receipts.add(receipt(1, { createdAt: "2026-01-02T03:00:00.000Z" }));
    await expect(late).rejects.toMatchObject({ code: "model-timeout" });
    expect(await statuses()).toEqual([
      ["begun", undefined],
      ["broken-off", "abandoned"],
    ]);
    expect(await receipts.byHour("2026")).toMatchObject([{ answers: 0, brokenOff: 1 }]);
  });

  test("each status can be filtered for", async () => {
    const { receipts } = store.records;
    for (const i of [1, 2, 3, 4]) await receipts.begin(begun(i));
    await receipts.add(receipt(2));
    await receipts.breakOff(broken(3));
    await receipts.add(receipt(4));
    await receipts.breakOff(broken(4));
    const bodies = async (status: "begun" | "issued" | "broken-off") =>
      (await receipts.page({ limit: 10, status })).receipts.map(({ body }) => body);
    expect(await bodies("begun")).toEqual([begun(1).body]);
    expect(await bodies("issued")).toEqual([receipt(2).body]);
    expect(await bodies("broken-off")).toEqual([receipt(4).body, begun(3).body]);
  });

  test("an event tells of each step", async () => {
    const { receipts, events } = store.records;
    const { head } = await events.position();
    await receipts.begin(begun(1));
    await receipts.begin(begun(2));
    await receipts.add(receipt(1));
    await receipts.breakOff(broken(2));
    const heard = await events.after({ after: head, limit: 10 });
    expect(heard.map((event) => [event.kind, "answerId" in event && event.answerId])).toEqual([
      ["receipt-begun", begun(1).answerId],
      ["receipt-begun", begun(2).answerId],
      ["receipt-issued", begun(1).answerId],
      ["receipt-broken-off", begun(2).answerId],
    ]);
  });

  test("a receipt that cannot be recorded fails alone, whichever step it is at", async () => {
    const { receipts } = store.records;
    await receipts.begin(begun(1));
    await receipts.add(receipt(2));
    // A break-off has a commit of its own. It may overtake an opening that was not acknowledged.
    await receipts.begin(begun(4));
    const results = await Promise.allSettled([
      receipts.begin(begun(3)),
      receipts.begin(begun(1)),
      receipts.add(receipt(1)),
      receipts.add(receipt(2)),
      receipts.breakOff(broken(4)),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(await statuses()).toEqual([
      ["broken-off", "caller-gone"],
      ["begun", undefined],
      ["issued", undefined],
      ["issued", undefined],
    ]);
  });
}
