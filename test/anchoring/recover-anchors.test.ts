import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { unfinishedIn } from "#adapters/ledger/unfinished-work.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { recoverRegularly } from "#background/jobs.ts";
import type { Ledger } from "#ports.ts";
import { testTenant } from "#test/support/tenant.ts";

const REQUEST = { agentId: "a", blobId: "b", digest: "d", claimed: [], policyVersion: "newest" as const };
const ENDED = { receiptId: "0x1", txDigest: "t", allAuthorized: true, ledgerVersion: "1", anchoredAt: "" };

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** A service whose ledger only counts the calls of `recover`. */
function setUp() {
  const recover = vi.fn(async () => 1);
  const records = sqliteRecords({ path: ":memory:" });
  const unfinished = () => unfinishedIn(records);
  const tenant = testTenant({ records, ledger: { recover, unfinished } as Partial<Ledger> as Ledger });
  const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
  const ask = (digest: string) => tenant.records.chainAnchors.request({ ...REQUEST, digest }, "");
  // A database in memory answers within this turn of the event loop.
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const next = async () => {
    await turn();
    vi.advanceTimersByTime(30_000);
    await turn();
  };
  return { recover, tenant, log, ask, next };
}

test("recovers at the start the anchors that an earlier process has left", async () => {
  const { recover, tenant, log, ask } = setUp();
  await ask("d");
  recoverRegularly(tenant, log).stop();
  await expect.poll(() => log.info.mock.calls.length).toBe(1);
  expect(recover).toHaveBeenCalledOnce();
});

test("recovers later an anchor that two checks in a row find unfinished, and no other", async () => {
  const { recover, tenant, log, ask, next } = setUp();
  const recovering = recoverRegularly(tenant, log);
  await next();
  const quick = await ask("quick");
  await next();
  await tenant.records.chainAnchors.complete({ id: quick.id, ...ENDED });
  await ask("left by a replica that died");
  await next();
  expect(recover).not.toHaveBeenCalled();
  await next();
  expect(recover).toHaveBeenCalledOnce();
  expect(log.info).toHaveBeenCalledOnce();

  recovering.stop();
  vi.advanceTimersByTime(300_000);
  expect(recover).toHaveBeenCalledOnce();
});

test("logs a warning when the records do not answer, and checks again", async () => {
  const { recover, tenant, log, ask, next } = setUp();
  await ask("d");
  vi.spyOn(tenant.records.chainAnchors, "openTransactions").mockRejectedValueOnce(new Error("down"));
  const recovering = recoverRegularly(tenant, log);
  await next();
  expect(log.warn).toHaveBeenCalledOnce();
  expect(recover).toHaveBeenCalledOnce();
  recovering.stop();
});
