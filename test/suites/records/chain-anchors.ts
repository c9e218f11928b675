import { expect, test } from "vitest";
import { AT, OUTCOME } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const UNAVAILABLE = { code: "records-unavailable" };
const REQUEST = { agentId: "a", blobId: "b", digest: "d", claimed: ["x", "y"] };
const ASKED = { ...REQUEST, policyVersion: 7 };

export function chainAnchorSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a request is pending until its outcome is on record, across restarts", async () => {
    let { chainAnchors } = store.records;
    const pending = await chainAnchors.request(ASKED, AT);
    expect(await chainAnchors.request(ASKED, "later")).toEqual(pending);
    const other = await chainAnchors.request({ ...ASKED, claimed: ["x"] }, AT);
    const dropped = await chainAnchors.request({ ...ASKED, claimed: [] }, AT);
    await chainAnchors.drop(dropped.id);
    const newest = await chainAnchors.request({ ...ASKED, policyVersion: "newest" }, AT);
    expect(await chainAnchors.request({ ...ASKED, policyVersion: "newest" }, AT)).toEqual(newest);
    const earlier = await chainAnchors.request({ ...ASKED, policyVersion: 6 }, AT);
    ({ chainAnchors } = await store.restart());
    expect(await chainAnchors.pending()).toEqual([pending, other, newest, earlier]);
    expect([pending, newest, earlier].map(({ policyVersion }) => policyVersion)).toEqual([7, "newest", 6]);

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
    expect(await chainAnchors.pending()).toEqual([other, newest, earlier]);
    expect(await chainAnchors.find("0x1")).toEqual({ ...REQUEST, ...OUTCOME });
    expect(await chainAnchors.find("0x2")).toBeUndefined();
    expect(await chainAnchors.outcomeOf(pending.id)).toEqual({ ...REQUEST, ...OUTCOME });
    expect(await chainAnchors.outcomeOf(other.id)).toBeUndefined();
  });

  test("a transaction is known from when it is recorded, and what it sends to a gate counts as sent", async () => {
    const { chainAnchors, ledgerGates } = store.records;
    expect(await ledgerGates.find("0xa")).toEqual({ greatest: 0, moves: [] });
    expect(await ledgerGates.latest()).toBe(0);
    const transaction = { bytes: Uint8Array.of(1), signature: "s", requests: [] };
    await chainAnchors.addTransaction({ ...transaction, txDigest: "t1", sends: { gateId: "0xa", version: 7 } });
    expect([await chainAnchors.hasTransaction("t1"), await chainAnchors.hasTransaction("t2")]).toEqual([true, false]);
    await chainAnchors.closeTransaction("t1", []);
    await chainAnchors.addTransaction({ ...transaction, txDigest: "t2", sends: { gateId: "0xa", version: 5 } });
    await chainAnchors.closeTransaction("t2", []);
    await chainAnchors.addTransaction({ ...transaction, txDigest: "t3", sends: { gateId: "0xb", version: 6 } });
    const restarted = await store.restart();
    expect(await restarted.ledgerGates.find("0xa")).toEqual({ greatest: 7, moves: [] });
    expect(await restarted.ledgerGates.latest()).toBe(7);
    expect(await restarted.chainAnchors.hasTransaction("t1")).toBe(true);
  });

  test("pending requests are counted, up to a number", async () => {
    const { chainAnchors } = store.records;
    expect(await chainAnchors.countPending(2)).toBe(0);
    for (const digest of ["1", "2", "3"]) await chainAnchors.request({ ...ASKED, digest }, AT);
    expect(await chainAnchors.countPending(2)).toBe(2);
    expect(await chainAnchors.countPending(10)).toBe(3);
  });

  test("a second request for a receipt that is on the ledger ends in the same receipt", async () => {
    const { chainAnchors } = store.records;
    const first = await chainAnchors.request(ASKED, AT);
    await chainAnchors.complete({ id: first.id, ...OUTCOME });
    const second = await chainAnchors.request(ASKED, AT);
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
      chainHash: `l${n}`,
    });
    expect(await records.ledgerLog.head()).toBeUndefined();
    for (const n of [1, 2, 3]) await records.ledgerLog.append(logged(n));
    for (const taken of [logged(2), { ...logged(4), sequence: 3 }, { ...logged(2), sequence: 4 }]) {
      await expect(records.ledgerLog.append(taken)).rejects.toMatchObject(UNAVAILABLE);
    }
    const { ledgerLog } = await store.restart();
    expect(await ledgerLog.head()).toMatchObject({ sequence: 3, chainHash: "l3" });
    const first = await ledgerLog.page({ limit: 2 });
    expect(
      first.map(({ txDigest, timestampMs, signatures, chainHash }) => [txDigest, timestampMs, signatures, chainHash]),
    ).toEqual([
      ["t1", 1, ["s"], "l1"],
      ["t2", 2, ["s"], "l2"],
    ]);
    const rest = await ledgerLog.page({ after: first.at(-1)?.sequence ?? 0, limit: 2 });
    expect(rest.map(({ bytes }) => [...bytes])).toEqual([[3]]);
  });
}
