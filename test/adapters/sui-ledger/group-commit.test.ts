// Other processes that share the records, seen from one: whoever waits gets an answer, whoever has the turn.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/index.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { ChainAnchorRequest, Ledger, PendingChainAnchor, RecordStore } from "#ports.ts";
import { ledgerOver, request } from "#test/suites/ledger.ts";
import { type LocalChain, startLocalChain } from "#test/support/local-chain.ts";

const AT = "2026-01-02T03:04:05.678Z";
const ENDED = { receiptId: "0x1", txDigest: "t", allAuthorized: true, ledgerVersion: "1", anchoredAt: AT };

describe("anchoring in turns", () => {
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
  const receipts = async () => (await chain.events(`${chain.packageId}::gate::ReceiptAnchored`)).length;

  /** Another process has the turn until told otherwise. */
  async function elsewhere() {
    const end = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const turn = records.locks.exclusively("anchoring", () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    return {
      end: () => {
        end.resolve();
        return turn;
      },
    };
  }

  it("answers with what another process has made of a request, before our own turn comes", async () => {
    const turn = await elsewhere();
    const pending = await ask();
    const answer = open().anchor(pending);
    await records.chainAnchors.complete({ id: pending.id, ...ENDED });
    expect(await answer).toMatchObject({ receiptId: "0x1", digest: pending.digest });
    await turn.end();
    expect(await receipts()).toBe(0);
  });

  it("says that a request was refused in another process's turn", async () => {
    const turn = await elsewhere();
    const pending = await ask();
    const answer = open().anchor(pending);
    await records.chainAnchors.drop(pending.id);
    await expect(answer).rejects.toMatchObject({ code: "ledger-refused" });
    await turn.end();
  });

  it("does itself what another process has left undone", async () => {
    const turn = await elsewhere();
    const answer = open().anchor(await ask());
    await turn.end();
    expect((await answer).receiptId).toMatch(/^0x/);
    expect(await receipts()).toBe(1);
  });

  it("tells whoever waits too long for a turn so, and keeps the request", async () => {
    const turn = await elsewhere();
    const ledger = open(records, { waits: { waitMs: 50, lookMs: 5 } });
    await expect(ledger.anchor(await ask())).rejects.toMatchObject({ code: "ledger-timeout" });
    expect(await records.chainAnchors.pending()).toHaveLength(1);
    await turn.end();
    await expect.poll(() => records.chainAnchors.pending()).toEqual([]);
    expect(await receipts()).toBe(1);
  });

  it("can be closed while another process has the turn, and then does nothing when its own comes", async () => {
    const turn = await elsewhere();
    const ledger = open();
    const answer = ledger.anchor(await ask());
    const refusal = expect(answer).rejects.toMatchObject({ code: "ledger-unavailable" });
    await ledger.close();
    await refusal;
    await turn.end();
    await records.locks.exclusively("anchoring", async () => undefined);
    expect(await receipts()).toBe(0);
    expect(await records.chainAnchors.pending()).toHaveLength(1);
  });

  it("gives the turn back as soon as nothing is pending", async () => {
    await open().anchor(await ask());
    expect(await records.locks.exclusively("anchoring", async () => "ours")).toBe("ours");
  });

  it("does not take a failing look at the records for an outcome", async () => {
    const turn = await elsewhere();
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
    const answer = open(flaky, { waits: { lookMs: 5 } }).anchor(pending);
    await expect.poll(() => failures).toBeGreaterThan(4);
    await records.chainAnchors.complete({ id: pending.id, ...ENDED });
    expect((await answer).receiptId).toBe("0x1");
    await turn.end();
  });

  it("mints each once, with never two transactions open, also when turns are lost unawares", async () => {
    let most = 0;
    const turnless: RecordStore = {
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
    const three = [open(turnless), open(turnless), open(turnless)];
    const pending = await askMany(60);
    // In small groups, so that there are many transactions.
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
