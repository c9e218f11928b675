// The local ledger is opened when there is something to tell its gate.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { localLedger } from "#adapters/ledger/local/local-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { RecordStore } from "#ports.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import { request } from "#test/suites/ledger-fixture.ts";

describe("a local ledger that nobody has opened yet", () => {
  let records: RecordStore;
  beforeEach(() => {
    records = sqliteRecords({ path: ":memory:" });
  });
  afterEach(() => records.close());

  const now = () => new Date().toISOString();
  /** In a process of its own. Counts how often it is opened to tell the gate something. */
  async function inProcess<T>(work: (ledger: ReturnType<typeof localLedger>["ledger"]) => Promise<T>) {
    let commits = 0;
    const exclusively: RecordStore["locks"]["exclusively"] = (name, work) => {
      commits += 1;
      return records.locks.exclusively(name, work);
    };
    const counted = { ...records, locks: { ...records.locks, exclusively } };
    const { ledger } = localLedger({ records: counted, signingKeys: records.signingKeys.list });
    try {
      return { result: await work(ledger), commits };
    } finally {
      await ledger.close();
    }
  }
  const addKey = async () => (await addSigningKey(records, new Date())).keyId;
  const endsOnGate = async () => {
    const { result } = await inProcess((ledger) => ledger.keys());
    return result.map(({ endedAtMs }) => endedAtMs !== undefined);
  };
  const anchorOnce = () =>
    inProcess(async (ledger) => ledger.anchor(await records.chainAnchors.request(request({ claimed: [] }), now())));

  test("tells its gate of a key that was added, and of one that has ended", async () => {
    const first = await addKey();
    await anchorOnce();
    expect(await endsOnGate()).toEqual([false]);
    await addKey();
    await inProcess((ledger) => ledger.sync());
    expect(await endsOnGate()).toEqual([false, false]);
    await records.signingKeys.end(first, now());
    await inProcess((ledger) => ledger.sync());
    expect(await endsOnGate()).toEqual([true, false]);
  });

  test("replays its log so that others take turns between two transactions", async () => {
    for (let i = 0; i < 5; i += 1) {
      await records.policy.set({ agentId: "a", namespace: `n${i}`, allowed: true }, { by: "x", at: now() });
      await inProcess((ledger) => ledger.sync());
    }
    const transactions = (await records.ledgerLog.head())?.sequence ?? 0;
    expect(transactions).toBeGreaterThanOrEqual(5);
    // Without the time that it takes to load the ledger's code.
    await inProcess((ledger) => ledger.gate());
    let turns = 0;
    const count = () => {
      turns += 1;
      counting = setImmediate(count);
    };
    let counting = setImmediate(count);
    await inProcess((ledger) => ledger.gate());
    clearImmediate(counting);
    expect(turns).toBeGreaterThanOrEqual(transactions);
  });

  test("stays closed when neither the policy nor a key has changed, and when it was never used", async () => {
    await addKey();
    expect((await inProcess((ledger) => ledger.sync())).commits).toBe(0);
    // The chain's time is that of the key at the earliest, and a key of the same moment may be unknown to the gate.
    const added = Date.now();
    await expect.poll(() => Date.now()).toBeGreaterThan(added);
    await anchorOnce();
    expect((await inProcess((ledger) => ledger.sync())).commits).toBe(0);
  });
});
