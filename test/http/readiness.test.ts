import { describe, expect, test } from "vitest";
import { readiness } from "#http/readiness.ts";
import type { Ledger } from "#ports.ts";
import { testDeps } from "#test/support/deps.ts";

const ledgerWith = (drift: Ledger["drift"]) => ({ network: "testnet", drift }) as Ledger;
const readyBody = async (ledger: Ledger) => JSON.parse(String((await readiness(testDeps({ ledger }))(true)).body));

describe("Readiness", () => {
  test("shows in how many leaves the policy on the chain differs", async () => {
    const drift = { leaves: 3, isOursToMend: false };
    expect(await readyBody(ledgerWith(async () => drift))).toEqual({
      status: "ready",
      ledger: { network: "testnet", drift },
      blobs: { storedUntil: null },
    });
  });

  test("does not depend on the ledger: the drift is null when the ledger fails or hangs", async () => {
    const ledger = { network: "testnet", drift: null };
    const unknown = { status: "ready", ledger, blobs: { storedUntil: null } };
    expect(await readyBody(ledgerWith(() => Promise.reject(new Error("down"))))).toEqual(unknown);
    expect(await readyBody(ledgerWith(() => new Promise(() => undefined)))).toEqual(unknown);
  });

  test("asks the ledger again only after some seconds", async () => {
    let [asked, now] = [0, 0];
    const ledger = ledgerWith(async () => ({ leaves: ++asked, isOursToMend: true }));
    const ready = readiness(testDeps({ ledger }), () => now);
    await ready(true);
    await ready(true);
    expect(asked).toBe(1);
    now += 60_000;
    await ready(true);
    expect(asked).toBe(2);
  });
});
