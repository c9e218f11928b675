import { expect, test } from "vitest";
import { AT, OUTCOME } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const UNAVAILABLE = { code: "records-unavailable" };
const REQUEST = { agentId: "a", blobId: "b", digest: "d", claimed: ["x", "y"], issued: true };

export function chainAnchorSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a request is pending until its outcome is on record, across restarts", async () => {
    let { chainAnchors } = store.records;
    const pending = await chainAnchors.request(REQUEST, AT);
    expect(await chainAnchors.request(REQUEST, "later")).toEqual(pending);
    const other = await chainAnchors.request({ ...REQUEST, claimed: ["x"] }, AT);
    const dropped = await chainAnchors.request({ ...REQUEST, claimed: [] }, AT);
    await chainAnchors.drop(dropped.id);
    ({ chainAnchors } = await store.restart());
    expect(await chainAnchors.pending()).toEqual([pending, other]);

    const bytes = Uint8Array.of(1, 2);
    const transaction = { txDigest: "t1", bytes, signature: "s", requests: [pending.id, other.id] };
    await chainAnchors.addTransaction(transaction);
    await expect(chainAnchors.addTransaction({ ...transaction, txDigest: "t2" })).rejects.toMatchObject(UNAVAILABLE);
    await chainAnchors.addTransaction(transaction);
    ({ chainAnchors } = await store.restart());
    const [open] = await chainAnchors.openTransactions();
    expect({ ...open, bytes: Buffer.from(open?.bytes ?? []) }).toEqual({ ...transaction, bytes: Buffer.of(1, 2) });

    await chainAnchors.closeTransaction("t1", [{ id: pending.id, ...OUTCOME }]);
    ({ chainAnchors } = await store.restart());
    expect(await chainAnchors.openTransactions()).toEqual([]);
    expect(await chainAnchors.pending()).toEqual([other]);
    expect(await chainAnchors.find("0x1")).toEqual({ ...REQUEST, ...OUTCOME });
    expect(await chainAnchors.find("0x2")).toBeUndefined();
    expect(await chainAnchors.outcomeOf(pending.id)).toEqual({ ...REQUEST, ...OUTCOME });
    expect(await chainAnchors.outcomeOf(other.id)).toBeUndefined();
  });

  test("pending requests are counted, up to a number", async () => {
    const { chainAnchors } = store.records;
    expect(await chainAnchors.countPending(2)).toBe(0);
    for (const digest of ["1", "2", "3"]) await chainAnchors.request({ ...REQUEST, digest }, AT);
    expect(await chainAnchors.countPending(2)).toBe(2);
    expect(await chainAnchors.countPending(10)).toBe(3);
  });

  test("a second request for a receipt that is on the ledger ends in the same receipt", async () => {
    const { chainAnchors } = store.records;
    const first = await chainAnchors.request(REQUEST, AT);
    await chainAnchors.complete({ id: first.id, ...OUTCOME });
    const second = await chainAnchors.request(REQUEST, AT);
    expect(second.id).not.toBe(first.id);
    await chainAnchors.complete({ id: second.id, ...OUTCOME, txDigest: "other" });
    expect((await chainAnchors.find("0x1"))?.txDigest).toBe("t1");
    expect(await chainAnchors.pending()).toEqual([]);
  });

  test("the ledger's log keeps transactions in their order, and refuses a sequence or a digest that is taken", async () => {
    const { records } = store;
    const logged = (n: number) => ({
      sequence: n,
      txDigest: `t${n}`,
      bytes: Buffer.of(n),
      signatures: ["s"],
      timestampMs: n,
      link: n === 1 ? null : `l${n}`,
    });
    expect(await records.ledgerLog.head()).toBeUndefined();
    for (const n of [1, 2, 3]) await records.ledgerLog.append(logged(n));
    for (const taken of [logged(2), { ...logged(4), sequence: 3 }, { ...logged(2), sequence: 4 }]) {
      await expect(records.ledgerLog.append(taken)).rejects.toMatchObject(UNAVAILABLE);
    }
    const { ledgerLog } = await store.restart();
    expect(await ledgerLog.head()).toMatchObject({ sequence: 3, link: "l3" });
    const first = await ledgerLog.page({ limit: 2 });
    expect(
      first.map(({ txDigest, timestampMs, signatures, link }) => [txDigest, timestampMs, signatures, link]),
    ).toEqual([
      ["t1", 1, ["s"], null],
      ["t2", 2, ["s"], "l2"],
    ]);
    const rest = await ledgerLog.page({ after: first.at(-1)?.sequence ?? 0, limit: 2 });
    expect(rest.map(({ bytes }) => [...bytes])).toEqual([[3]]);
  });
}
