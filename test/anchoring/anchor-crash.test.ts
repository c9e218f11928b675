// The process dies at every point of anchoring on the ledger. After a restart, what was asked for is there exactly once.
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { anchorOnChain } from "#service/anchoring/anchor-on-chain.ts";
import { ledgerOver } from "#test/suites/ledger.ts";
import { testDeps } from "#test/support/deps.ts";
import { type LocalChain, startLocalChain } from "#test/support/local-chain.ts";

const RECEIPT: ForeignReceipt = {
  answerId: "ans_1",
  agentId: "a",
  usedMemories: [{ namespace: "diet", snippet: "s", storeRef: "b", authorized: true, verified: true }],
  blockedNamespaces: [],
  createdAt: "2026-01-01T00:00:00Z",
};
const STAMP = { by: "test", at: "2026-01-01T00:00:00Z" };

/**
 * A life that ends at its call number `at` to anything outside: before the call is made, or after it was made and
 * before its answer is seen. From then on nothing is answered any more, as if the process were gone.
 */
function life(at: number, when: "before" | "after") {
  const died = Promise.withResolvers<"died">();
  let calls = 0;
  let isDead = false;
  const gone = () => {
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
          if (call > at || (call === at && when === "before")) return gone();
          const result = await value.apply(object, args.map(mortalJob));
          return call === at || isDead ? gone() : result;
        };
      },
    });
  }
  /** What the dead one was doing in its turn ends with it, and the turn is another's. */
  function mortalJob(argument: unknown): unknown {
    return typeof argument === "function" ? () => Promise.race([argument(), died.promise]) : argument;
  }
  return { mortal, died: died.promise };
}

/** A part of the records, and not an object of the SDK. */
const isPart = (value: unknown): value is object =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;

async function receiptsOn({ events, packageId }: LocalChain): Promise<number> {
  return (await events(`${packageId}::gate::ReceiptAnchored`)).length;
}

/** Anchors with a life that ends; then restarts, recovers and asks again. Answers whether it died at all. */
async function anchorDyingAt(at: number, when: "before" | "after"): Promise<boolean> {
  const chain = await startLocalChain();
  const records = sqliteRecords({ path: ":memory:" });
  const { blobs } = testDeps();
  await records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);

  const { mortal, died } = life(at, when);
  const doomed = { ...chain, client: mortal(chain.client) };
  const ledger = ledgerOver(doomed, mortal(records));
  const deps = testDeps({ records: mortal(records), blobs: mortal(blobs), ledger });
  const ended = await Promise.race([anchorOnChain(deps, { receipt: RECEIPT }).then(() => "lived" as const), died]);

  const asked = (await records.chainAnchors.pending()).length + (await receiptsOn(chain)) > 0;
  const again = ledgerOver(chain, records);
  await again.recover();
  expect(await receiptsOn(chain)).toBe(asked ? 1 : 0);
  expect(await records.chainAnchors.pending()).toEqual([]);
  expect(await records.chainAnchors.openTransactions()).toEqual([]);

  const result = await anchorOnChain(testDeps({ records, blobs, ledger: again }), { receipt: RECEIPT });
  expect(await receiptsOn(chain)).toBe(1);
  expect(result.allAuthorized).toBe(true);
  expect((await again.find(result.receiptId))?.receipt?.blobId).toBe(result.storeBlob);
  await again.close();
  await records.close();
  await chain.stop();
  return ended === "died";
}

describe("A process that dies while it anchors", () => {
  for (const when of ["before", "after"] as const) {
    test(`${when} any of its calls leaves each anchor exactly once`, async () => {
      let points = 0;
      while (await anchorDyingAt(points, when)) points += 1;
      // Blob, records, chain, signing, sending, outcome: if these were a handful, the proxy would not see the calls.
      expect(points).toBeGreaterThan(15);
    });
  }
});
