// What anchors cost, and what pays for them, on a chain with the fees of Sui.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { Ledger, RecordStore } from "#ports.ts";
import { ledgerOver, request } from "#test/suites/ledger-fixture.ts";
import { type PricedChain, startPricedChain } from "#test/support/priced-chain.ts";

const AT = "2026-01-02T03:04:05.678Z";
const SUI = 1_000_000_000n;
const PRICE = 1_000n;

describe("the ledger on a chain with fees", () => {
  let chain: PricedChain;
  let records: RecordStore;
  let ledger: Ledger;

  beforeEach(async () => {
    chain = await startPricedChain({ price: PRICE, coins: [5n * SUI], addressBalance: 0n });
    records = sqliteRecords({ path: ":memory:" });
    ledger = ledgerOver(chain, records);
  });
  afterEach(async () => {
    await ledger.close();
    await records.close();
    await chain.stop();
  });

  const anchor = async (n: number) =>
    ledger.anchor(
      await records.chainAnchors.request(request({ digest: n.toString(16).padStart(64, "0"), claimed: [] }), AT),
    );
  const anchorMany = (count: number) => Promise.all(Array.from({ length: count }, (_, i) => anchor(i)));

  test("sets the budget to little more than a simulation used", async () => {
    await anchorMany(20);
    for (const { budget, cost } of chain.paid) {
      expect(Number(budget)).toBeGreaterThanOrEqual(Number(cost));
      expect(Number(budget)).toBeLessThan(1.5 * Number(cost) + 3_000_000);
    }
  });

  test("a checkpoint of the log, which stands for all answers in it, costs less than the anchor of one", async () => {
    await anchor(1);
    const tree = (size: number) => ({ origin: "memory.example/log", size, root: Buffer.alloc(32) });
    for (const size of [1, 2]) await ledger.anchorCheckpoint(tree(size));
    const [receipt, first, next] = chain.paid.map(({ cost }) => Number(cost)) as [number, number, number];
    expect(first).toBeLessThanOrEqual(receipt);
    expect(next).toBeLessThan(0.7 * receipt);
  });

  test("anchors 64 receipts with 0.97 SUI in few transactions", async () => {
    chain.purse.coins = [970_000_000n];
    expect(await anchorMany(64)).toHaveLength(64);
    expect(await chain.executed()).toBeLessThanOrEqual(3);
  });

  test("sends as many anchors at once as the balance allows, and the rest when SUI arrives", async () => {
    chain.purse.coins = [100_000_000n];
    const anchors = anchorMany(40);
    await expect(anchors).rejects.toMatchObject({
      code: "ledger-no-gas",
      message: expect.stringMatching(
        /^The signer 0x\w{64} has 0\.0\d+ SUI, and the next call may cost 0\.0\d+ SUI\. Send SUI to it\./,
      ),
    });
    const left = (await records.chainAnchors.pending()).length;
    expect(40 - left).toBeGreaterThanOrEqual(10);
    expect(left).toBeGreaterThan(0);
    chain.purse.coins = [SUI];
    await ledger.recover();
    expect(await records.chainAnchors.pending()).toEqual([]);
  });

  test("sends as much of the policy at once as the balance allows, and anchors when the rest has arrived", async () => {
    const rules = Array.from({ length: 40 }, (_, i) => ({ agentId: `agent ${i}`, namespace: "n", allowed: true }));
    await records.reset([], policyFrom(rules), { by: "test", at: AT });
    chain.purse.coins = [60_000_000n];
    const fields = request({ agentId: "agent 39", claimed: ["n"] });
    await expect(ledger.anchor(await records.chainAnchors.request(fields, AT))).rejects.toMatchObject({
      code: "ledger-no-gas",
    });
    expect(await chain.executed()).toBeGreaterThan(0);
    chain.purse.coins = [SUI];
    const anchored = await ledger.anchor(await records.chainAnchors.request(fields, AT));
    expect(anchored.allAuthorized).toBe(true);
  });

  test("pays with as many coins as it takes", async () => {
    chain.purse.coins = [5_000_000n, 4_000_000n, 5_000_000n];
    await anchor(1);
    expect(chain.paid).toMatchObject([{ coins: 3 }]);
  });

  test("pays from the address balance when the coins do not suffice", async () => {
    chain.purse.coins = [];
    chain.purse.addressBalance = 100_000_000n;
    await anchor(1);
    expect(chain.paid).toMatchObject([{ coins: 0 }]);
    expect(chain.purse.addressBalance).toBeLessThan(100_000_000n);
  });

  test("knows the signer's balance in both forms, and when it is low", async () => {
    chain.purse.addressBalance = 250_000_000n;
    const address = chain.signer.toSuiAddress();
    expect(await ledger.balance()).toEqual({ address, amount: "5.25 SUI", isLow: false });
    chain.purse.coins = [1n];
    expect(await ledger.balance()).toEqual({ address, amount: "0.250000001 SUI", isLow: true });
  });

  test("rejects, and keeps the request, when the signer has nothing", async () => {
    chain.purse.coins = [];
    await expect(anchor(1)).rejects.toMatchObject({ code: "ledger-no-gas" });
    expect(await records.chainAnchors.pending()).toHaveLength(1);
    expect(chain.node.calls("ExecuteTransaction")).toBe(0);
  });

  test("pays nothing for a request that the gate would abort", async () => {
    const bad = await records.chainAnchors.request(request({ blobId: "x".repeat(129), claimed: [] }), AT);
    await expect(ledger.anchor(bad)).rejects.toMatchObject({
      code: "ledger-refused",
      message: expect.stringContaining("EInvalidBlobId"),
    });
    expect(chain.paid).toEqual([]);
    expect(await records.chainAnchors.pending()).toEqual([]);
  });

  test("anchors at the new price when an epoch begins between building and sending", async () => {
    const message = `Gas price ${PRICE} under reference gas price (RGP) ${2n * PRICE}`;
    chain.node.inject("ExecuteTransaction", { kind: "error", executes: false, code: "INVALID_ARGUMENT", message });
    const anchored = anchor(1);
    await expect.poll(() => chain.node.calls("ExecuteTransaction")).toBeGreaterThan(0);
    chain.purse.price = 2n * PRICE;
    expect((await anchored).receiptId).toMatch(/^0x/);
  });

  test("sends again what validators abort because they have not seen an object yet", async () => {
    const message = "Could not find the referenced object 0x1 at version Some(SequenceNumber(7))";
    const aborted = { kind: "error", executes: false, code: "ABORTED", message } as const;
    chain.node.inject("ExecuteTransaction", aborted, aborted);
    expect((await anchor(1)).receiptId).toMatch(/^0x/);
    expect(chain.paid).toHaveLength(1);
  });

  test("builds the transaction again when validators go on to abort it", async () => {
    const aborted = { kind: "error", executes: false, code: "ABORTED", message: "an object is missing" } as const;
    await ledger.close();
    ledger = ledgerOver(chain, records, { timeouts: { pauseMs: 5, sendMs: 50 } });
    chain.node.inject("ExecuteTransaction", ...Array.from({ length: 30 }, () => aborted));
    const anchored = anchor(1);
    await expect.poll(() => chain.node.calls("SimulateTransaction")).toBeGreaterThan(1);
    chain.node.clear();
    expect((await anchored).receiptId).toMatch(/^0x/);
  });

  test("names the full node that does not answer", async () => {
    await ledger.close();
    ledger = ledgerOver(chain, records, { node: "node.example:443" });
    chain.node.isDown = true;
    await expect(anchor(1)).rejects.toMatchObject({
      code: "ledger-unavailable",
      message: "The full node node.example:443 does not answer. The anchor is on record; ask again.",
    });
    chain.node.isDown = false;
    expect((await anchor(1)).receiptId).toMatch(/^0x/);
  });
});
