import { describe, expect, test } from "vitest";
import { readiness } from "#http/readiness.ts";
import type { Ledger } from "#ports.ts";
import { testTenant } from "#test/support/tenant.ts";

const BALANCE = { address: "0x1", amount: "5 SUI", isLow: false };
const ledgerWith = (drift: Ledger["drift"], balance: Ledger["balance"] = async () => BALANCE) =>
  ({ network: "testnet", drift, balance }) as Ledger;
const readyBody = async (ledger: Ledger) => JSON.parse(String((await readiness(testTenant({ ledger }))(true)).body));

describe("Readiness", () => {
  test("shows in how many rules the policy on the chain differs", async () => {
    const drift = { rules: 3, isOursToMend: false };
    expect(await readyBody(ledgerWith(async () => drift))).toEqual({
      status: "ready",
      ledger: { network: "testnet", drift, balance: BALANCE },
      blobs: { storedUntil: null },
    });
  });

  test("shows the signer's balance, and a low one is a warning that leaves the service ready", async () => {
    const low = { address: "0x1", amount: "0.01 SUI", isLow: true };
    const ledger = ledgerWith(
      async () => ({ rules: 0, isOursToMend: true }),
      async () => low,
    );
    const reply = await readiness(testTenant({ ledger }))(true);
    expect(reply.status).toBe(200);
    expect(JSON.parse(String(reply.body))).toMatchObject({
      status: "ready",
      ledger: { balance: low },
      warnings: [expect.stringMatching(/^The balance of the ledger's signer is low\./)],
    });
  });

  test("does not depend on the ledger: drift and balance are null when the ledger fails or hangs", async () => {
    const ledger = { network: "testnet", drift: null, balance: null };
    const unknown = { status: "ready", ledger, blobs: { storedUntil: null } };
    const failing = () => Promise.reject(new Error("down"));
    const hanging = () => new Promise<never>(() => undefined);
    expect(await readyBody(ledgerWith(failing, failing))).toEqual(unknown);
    expect(await readyBody(ledgerWith(hanging, hanging))).toEqual(unknown);
  });

  test("asks the ledger again only after some seconds", async () => {
    let [drifts, balances, now] = [0, 0, 0];
    const ledger = ledgerWith(
      async () => ({ rules: ++drifts, isOursToMend: true }),
      async () => ({ ...BALANCE, amount: `${++balances} SUI` }),
    );
    const ready = readiness(testTenant({ ledger }), () => now);
    await ready(true);
    await ready(true);
    expect([drifts, balances]).toEqual([1, 1]);
    now += 10_000;
    await ready(true);
    expect([drifts, balances]).toEqual([2, 1]);
    now += 60_000;
    await ready(true);
    expect([drifts, balances]).toEqual([3, 2]);
  });
});
