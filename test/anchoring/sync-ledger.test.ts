// The ledger gets the changes of the policy without any anchor.
import { expect, onTestFinished, test, vi } from "vitest";
import { syncLedgerRegularly } from "#background/jobs.ts";
import type { Ledger } from "#ports.ts";
import { serviceForTest } from "#test/support/service.ts";

test("a change of the policy reaches the ledger though nothing is anchored, and a settled one costs nothing", async () => {
  const { client, tenant } = await serviceForTest();
  const syncing = syncLedgerRegularly(tenant, { intervalMs: 10 });
  onTestFinished(() => syncing.stop());
  await client.setAccess({ agentId: "assistant", namespace: "finance", allowed: true });
  const { version } = await client.getPolicy();
  const isSent = async () =>
    (await tenant.records.ledgerGates.latest()) === version && (await tenant.ledger.drift()).rules === 0;
  await expect.poll(isSent).toBe(true);
  const { transactions } = await client.ledgerTransactions();
  await tenant.ledger.sync();
  expect((await client.ledgerTransactions()).transactions).toEqual(transactions);
  // The keys that sign receipts travel with it.
  await client.chat({ agentId: "assistant", query: "What may I eat?" });
  await expect.poll(async () => (await tenant.ledger.keys()).length).toBe(1);
});

test("syncs at once and then at an interval, one after another, and goes on after a failure", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let running = 0;
  let most = 0;
  const sync = vi.fn(async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 45_000));
    running -= 1;
    throw new Error("down");
  });
  const { stop } = syncLedgerRegularly({ ledger: { network: "testnet", sync } as Partial<Ledger> as Ledger });
  expect(sync).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(61_000);
  expect([sync.mock.calls.length, most]).toEqual([2, 1]);
  stop();
});
