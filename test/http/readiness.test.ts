import { describe, expect, it } from "vitest";
import { readiness } from "#http/readiness.ts";
import type { Ledger } from "#ports.ts";
import { testDeps } from "#test/support/deps.ts";

const ledgerSaying = (drift: Ledger["drift"]) => ({ network: "testnet", drift }) as Ledger;
const shown = async (ledger: Ledger) => JSON.parse(String((await readiness(testDeps({ ledger }))(true)).body));

describe("readiness", () => {
  it("shows how far the policy on the chain is from ours", async () => {
    const drift = { leaves: 3, isOursToMend: false };
    expect(await shown(ledgerSaying(async () => drift))).toEqual({
      status: "ready",
      ledger: { network: "testnet", drift },
    });
  });

  it("does not depend on the ledger: one that fails or hangs is shown as not saying", async () => {
    const unknown = { status: "ready", ledger: { network: "testnet", drift: null } };
    expect(await shown(ledgerSaying(() => Promise.reject(new Error("down"))))).toEqual(unknown);
    expect(await shown(ledgerSaying(() => new Promise(() => undefined)))).toEqual(unknown);
  });

  it("asks the ledger again only after a while", async () => {
    let [asked, now] = [0, 0];
    const ledger = ledgerSaying(async () => ({ leaves: ++asked, isOursToMend: true }));
    const ready = readiness(testDeps({ ledger }), () => now);
    await ready(true);
    await ready(true);
    expect(asked).toBe(1);
    now += 60_000;
    await ready(true);
    expect(asked).toBe(2);
  });
});
