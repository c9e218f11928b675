// The process dies at every point of anchoring on the ledger. After a restart, each requested anchor is minted exactly
// once.

import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { anchorOnChain } from "#service/anchoring/anchor.ts";
import { ledgerOver } from "#test/suites/ledger-fixture.ts";
import { type LocalChain, startLocalChain } from "#test/support/local-chain.ts";
import { testTenant } from "#test/support/tenant.ts";

const RECEIPT: ForeignReceipt = {
  answerId: "ans_1",
  agentId: "a",
  usedMemories: [{ namespace: "diet", snippet: "s", storeRef: "b", authorized: true, verified: true }],
  blockedNamespaces: [],
  createdAt: "2026-01-01T00:00:00Z",
};
const STAMP = { by: "test", at: "2026-01-01T00:00:00Z" };

/**
 * A process that dies at its call number `at` to a mortal object: before the call is made, or after it was made and
 * before its result arrives. From then on no call returns.
 */
function mortalProcess(at: number, when: "before" | "after") {
  const died = Promise.withResolvers<"died">();
  let calls = 0;
  let isDead = false;
  const die = () => {
    isDead = true;
    died.resolve("died");
    return new Promise<never>(() => undefined);
  };
  function mortal<T extends object>(target: T): T {
    return new Proxy(target, {
      get(object, key) {
        const value = Reflect.get(object, key);
        if (typeof value !== "function") return isPart(value) ? mortal(value) : value;
        return async (...args: unknown[]) => {
          const call = calls++;
          if (call > at || (call === at && when === "before")) return die();
          const result = await value.apply(object, args.map(mortalJob));
          return call === at || isDead ? die() : result;
        };
      },
    });
  }
  /** A job that holds a mutex ends with the process, so that the mutex is free again. */
  function mortalJob(argument: unknown): unknown {
    return typeof argument === "function" ? () => Promise.race([argument(), died.promise]) : argument;
  }
  return { mortal, died: died.promise };
}

/** Whether it is a part of the records, and not an object of the SDK. */
const isPart = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

const receiptsOn = ({ events }: LocalChain): number => events("ReceiptAnchored").length;

/** Anchors in a process that dies, restarts, recovers and anchors again. Returns whether the process died at all. */
async function anchorDyingAt(at: number, when: "before" | "after"): Promise<boolean> {
  const chain = await startLocalChain();
  const records = sqliteRecords({ path: ":memory:" });
  const { blobs } = testTenant();
  await records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);

  const { mortal, died } = mortalProcess(at, when);
  const doomed = { ...chain, client: mortal(chain.client) };
  const ledger = ledgerOver(doomed, mortal(records));
  const tenant = testTenant({ records: mortal(records), blobs: mortal(blobs), ledger });
  const end = await Promise.race([
    anchorOnChain(tenant, { receipt: RECEIPT }, { principal: OPEN }).then(() => "lived" as const),
    died,
  ]);

  const isRequested = (await records.chainAnchors.pending()).length + receiptsOn(chain) > 0;
  const restarted = ledgerOver(chain, records);
  await restarted.recover();
  expect(receiptsOn(chain)).toBe(isRequested ? 1 : 0);
  expect(await records.chainAnchors.pending()).toEqual([]);
  expect(await records.chainAnchors.openTransactions()).toEqual([]);

  const result = await anchorOnChain(
    testTenant({ records, blobs, ledger: restarted }),
    { receipt: RECEIPT },
    { principal: OPEN },
  );
  expect(receiptsOn(chain)).toBe(1);
  expect(result.allAuthorized).toBe(true);
  expect((await restarted.find(result.receiptId))?.receipt?.blobId).toBe(result.storeBlob);
  await restarted.close();
  await records.close();
  await chain.stop();
  return end === "died";
}

describe("a process that dies while it anchors", () => {
  for (const when of ["before", "after"] as const) {
    test(`${when} any of its calls leaves an anchor that is minted exactly once`, async () => {
      let points = 0;
      while (await anchorDyingAt(points, when)) points += 1;
      // The calls to the blob store, the records and the chain. With only a few, the proxy would miss calls.
      expect(points).toBeGreaterThan(15);
    });
  }
});
