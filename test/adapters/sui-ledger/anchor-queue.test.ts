// Group commit with other processes that share the records: every caller gets an answer, whichever process commits.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/sui-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { ChainAnchorRequest, Ledger, PendingChainAnchor, RecordStore } from "#ports.ts";
import { ledgerOver, request } from "#test/suites/ledger-fixture.ts";
import { type LocalChain, startLocalChain } from "#test/support/local-chain.ts";

const AT = "2026-01-02T03:04:05.678Z";
const ENDED = { receiptId: "0x1", txDigest: "t", allAuthorized: true, ledgerVersion: "1", anchoredAt: AT };

describe("group commit", () => {
  let chain: LocalChain;
  let records: RecordStore;
  let ledgers: Ledger[];

  beforeEach(async () => {
    chain = await startLocalChain();
    records = sqliteRecords({ path: ":memory:" });
    ledgers = [];
  });
  afterEach(async () => {
    for (const ledger of ledgers) await ledger.close();
    await records.close();
  });

  function open(over = records, options: Partial<SuiLedgerOptions> = {}): Ledger {
    const ledger = ledgerOver(chain, over, options);
    ledgers.push(ledger);
    return ledger;
  }

  const ask = (fields: Partial<ChainAnchorRequest> = {}) => records.chainAnchors.request(request(fields), AT);
  const askMany = (count: number) =>
    Promise.all(Array.from({ length: count }, (_, i) => ask({ digest: i.toString(16).padStart(64, "0") })));
  const receipts = async () => chain.events("ReceiptAnchored").length;

  /** Another process takes the mutex, and holds it until `release`. */
  async function mutexHeldElsewhere() {
    const end = Promise.withResolvers<void>();
    const acquired = Promise.withResolvers<void>();
    const held = records.locks.exclusively("anchoring", () => {
      acquired.resolve();
      return end.promise;
    });
    await acquired.promise;
    return {
      release: () => {
        end.resolve();
        return held;
      },
    };
  }

  test("answers with the outcome that another process has recorded, before it gets the mutex itself", async () => {
    const mutex = await mutexHeldElsewhere();
    const pending = await ask();
    const answer = open().anchor(pending);
    await records.chainAnchors.complete({ id: pending.id, ...ENDED });
    expect(await answer).toMatchObject({ receiptId: "0x1", digest: pending.digest });
    await mutex.release();
    expect(await receipts()).toBe(0);
  });

  test("rejects a request that another process has dropped as refused", async () => {
    const mutex = await mutexHeldElsewhere();
    const pending = await ask();
    const answer = open().anchor(pending);
    await records.chainAnchors.drop(pending.id);
    await expect(answer).rejects.toMatchObject({ code: "ledger-refused" });
    await mutex.release();
  });

  test("commits the requests that another process has left pending", async () => {
    const mutex = await mutexHeldElsewhere();
    const answer = open().anchor(await ask());
    await mutex.release();
    expect((await answer).receiptId).toMatch(/^0x/);
    expect(await receipts()).toBe(1);
  });

  test("rejects a caller at its deadline while another process holds the mutex, and commits the request later", async () => {
    const mutex = await mutexHeldElsewhere();
    const ledger = open(records, { timeouts: { waitMs: 50, pollMs: 5 } });
    await expect(ledger.anchor(await ask())).rejects.toMatchObject({ code: "ledger-timeout" });
    expect(await records.chainAnchors.pending()).toHaveLength(1);
    await mutex.release();
    await expect.poll(() => records.chainAnchors.pending()).toEqual([]);
    expect(await receipts()).toBe(1);
  });

  test("can be closed while another process holds the mutex, and then commits nothing when it gets the mutex", async () => {
    const mutex = await mutexHeldElsewhere();
    const ledger = open();
    const answer = ledger.anchor(await ask());
    const refusal = expect(answer).rejects.toMatchObject({ code: "ledger-unavailable" });
    await ledger.close();
    await refusal;
    await mutex.release();
    await records.locks.exclusively("anchoring", async () => undefined);
    expect(await receipts()).toBe(0);
    expect(await records.chainAnchors.pending()).toHaveLength(1);
  });

  test("releases the mutex as soon as nothing is pending", async () => {
    await open().anchor(await ask());
    expect(await records.locks.exclusively("anchoring", async () => "ours")).toBe("ours");
  });

  test("does not take a failed poll of the records for an outcome", async () => {
    const mutex = await mutexHeldElsewhere();
    let failures = 0;
    const flaky = {
      ...records,
      chainAnchors: {
        ...records.chainAnchors,
        pending(): Promise<PendingChainAnchor[]> {
          failures += 1;
          return failures < 4 ? Promise.reject(new Error("down")) : records.chainAnchors.pending();
        },
      },
    };
    const pending = await ask();
    const answer = open(flaky, { timeouts: { pollMs: 5 } }).anchor(pending);
    await expect.poll(() => failures).toBeGreaterThan(4);
    await records.chainAnchors.complete({ id: pending.id, ...ENDED });
    expect((await answer).receiptId).toBe("0x1");
    await mutex.release();
  });

  test("mints each request once, and never has two transactions open, also when the mutex does not exclude anybody", async () => {
    let most = 0;
    const withoutMutex: RecordStore = {
      ...records,
      locks: { exclusively: (_, job) => job() },
      chainAnchors: {
        ...records.chainAnchors,
        async addTransaction(transaction) {
          await records.chainAnchors.addTransaction(transaction);
          most = Math.max(most, (await records.chainAnchors.openTransactions()).length);
        },
      },
    };
    const three = [open(withoutMutex), open(withoutMutex), open(withoutMutex)];
    const pending = await askMany(60);
    // They arrive in small groups, so that there are many transactions.
    const answers = pending.map(async (each, i) => {
      for (let turns = i; turns > 0; turns -= 1) await new Promise(setImmediate);
      return (three[i % 3] as Ledger).anchor(each);
    });
    const anchors = await Promise.all(answers);
    expect(new Set(anchors.map(({ receiptId }) => receiptId)).size).toBe(60);
    expect(await receipts()).toBe(60);
    expect(most).toBe(1);
    expect(await records.chainAnchors.openTransactions()).toEqual([]);
  });
});
