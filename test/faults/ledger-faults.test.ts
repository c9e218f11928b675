// A full node that misbehaves, reached through the SDK's own gRPC client. Whatever it does, an anchor that was asked for
// is minted once, or not yet, and nobody is told that it is when it is not.
import { describe, expect, onTestFinished, test } from "vitest";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/index.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { ledgerOver, request } from "#test/suites/ledger.ts";
import type { Fault } from "#test/support/grpc-face/index.ts";
import { type GrpcChain, startGrpcChain } from "#test/support/local-chain.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00Z" };
const PATIENCE = { callMs: 150, totalMs: 2_000, pauseMs: 10 };

async function prepared(options: Partial<SuiLedgerOptions> = {}) {
  const chain = await startGrpcChain();
  const records = sqliteRecords({ path: ":memory:" });
  await records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);
  const ledger = ledgerOver(chain, records, { patience: PATIENCE, ...options });
  onTestFinished(async () => {
    chain.face.clear();
    await ledger.close();
    await records.close();
    await chain.stop();
  });
  const anchor = async () => ledger.anchor(await records.chainAnchors.request(request(), STAMP.at));
  return { chain, records, ledger, anchor, receipts: () => receiptsOn(chain) };
}

/** Asked behind the face, so that faults do not touch it. */
async function receiptsOn(chain: GrpcChain): Promise<number> {
  return (await chain.events(`${chain.packageId}::gate::ReceiptAnchored`)).length;
}

describe("An anchor is minted exactly once by a node that", () => {
  const faults: readonly (readonly [string, ...Fault[]])[] = [
    ["answers late", { kind: "late", ms: 400 }],
    ["executes when the client has given up", { kind: "held", ms: 300 }],
    ["executes and never answers", { kind: "never", executes: true }],
    ["never answers and does not execute", { kind: "never", executes: false }],
    ["says that it failed, having executed", { kind: "error", executes: true, code: "INTERNAL" }],
    ["says that the request was wrong, having executed", { kind: "error", executes: true, code: "INVALID_ARGUMENT" }],
    ["is not available, having executed", { kind: "error", executes: true, code: "UNAVAILABLE" }],
    ["is not available", { kind: "error", executes: false, code: "UNAVAILABLE" }],
    ["is overloaded", { kind: "error", executes: false, code: "RESOURCE_EXHAUSTED" }],
    ["hangs up, having executed", { kind: "drop", executes: true }],
    ["hangs up", { kind: "drop", executes: false }],
    [
      "fails in one way after another",
      { kind: "error", executes: false, code: "UNAVAILABLE" },
      { kind: "never", executes: false },
      { kind: "drop", executes: false },
      { kind: "never", executes: true },
    ],
    [
      "says that objects have moved on",
      {
        kind: "error",
        executes: false,
        code: "FAILED_PRECONDITION",
        message: "Transaction needs to be rebuilt because object version is unavailable for consumption",
      },
    ],
  ];

  test.for(faults)("%s", async ([, ...injected]) => {
    const { chain, records, ledger, anchor, receipts } = await prepared();
    chain.face.inject("ExecuteTransaction", ...injected);
    const anchored = await anchor();
    expect(await receipts()).toBe(1);
    expect((await ledger.find(anchored.receiptId))?.receipt?.allAuthorized).toBe(true);
    expect(await records.chainAnchors.pending()).toEqual([]);
    expect(await records.chainAnchors.openTransactions()).toEqual([]);
    expect(await anchor()).toEqual(anchored);
    expect(await receipts()).toBe(1);
  });
});

test("A node that never answers gives a time-out; the anchor is made as soon as it answers again, and once", async () => {
  const { chain, records, ledger, anchor, receipts } = await prepared({ patience: { ...PATIENCE, totalMs: 400 } });
  const never = Array.from({ length: 50 }, () => ({ kind: "never", executes: false }) as const);
  chain.face.inject("ExecuteTransaction", ...never);
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-timeout" });
  expect(await receipts()).toBe(0);
  expect(await records.chainAnchors.pending()).toHaveLength(1);
  expect(await records.chainAnchors.openTransactions()).toHaveLength(1);

  chain.face.clear();
  expect(await ledger.recover()).toBe(1);
  expect(await receipts()).toBe(1);
  expect(await records.chainAnchors.pending()).toEqual([]);
});

test("What failed and nobody waits for any more is tried again by itself", async () => {
  const { chain, records, anchor, receipts } = await prepared({ waits: { retryMs: 20 } });
  chain.face.isDown = true;
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-unavailable" });
  chain.face.isDown = false;
  await expect.poll(() => records.chainAnchors.pending()).toEqual([]);
  expect(await receipts()).toBe(1);
});

test("A node that refuses is an error that says so, and whoever asked may ask again", async () => {
  const { chain, records, anchor, receipts } = await prepared();
  chain.face.inject("ExecuteTransaction", { kind: "error", executes: false, code: "INVALID_ARGUMENT", message: "no" });
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-refused" });
  expect(await receipts()).toBe(0);
  expect(await records.chainAnchors.openTransactions()).toEqual([]);
  await anchor();
  expect(await receipts()).toBe(1);
});

test("A request that is refused fails alone: those that travel with it are anchored, and nothing stays behind", async () => {
  const { records, ledger, receipts } = await prepared();
  const all = Array.from({ length: 9 }, (_, i) => request({ digest: String(i).repeat(64) }));
  // One argument of more than 16 KiB: no node takes a transaction with it.
  const poison = request({
    digest: "f".repeat(64),
    claimed: Array.from({ length: 64 }, (_, i) => `${i}`.padStart(260, "n")),
  });
  const wanted = [...all.slice(0, 4), poison, ...all.slice(4)];
  const pending = await Promise.all(wanted.map((each) => records.chainAnchors.request(each, STAMP.at)));
  const results = await Promise.allSettled(pending.map((each) => ledger.anchor(each)));
  expect(results.map(({ status }) => status)).toEqual(
    wanted.map((each) => (each === poison ? "rejected" : "fulfilled")),
  );
  expect(await receipts()).toBe(9);
  expect(await records.chainAnchors.pending()).toEqual([]);
});

test("A signer without coins is told so, with what is missing", async () => {
  const chain = await startGrpcChain();
  onTestFinished(() => chain.stop());
  const charging = new Proxy(chain.client, {
    get: (client, key) => {
      if (key === "getReferenceGasPrice") return async () => ({ referenceGasPrice: "1000" });
      const value = Reflect.get(client, key);
      return typeof value === "function" ? value.bind(client) : value;
    },
  });
  const records = sqliteRecords({ path: ":memory:" });
  const ledger = ledgerOver({ ...chain, client: charging }, records, { patience: PATIENCE });
  onTestFinished(async () => {
    await ledger.close();
    await records.close();
  });
  const pending = await records.chainAnchors.request(request(), STAMP.at);
  await expect(ledger.anchor(pending)).rejects.toMatchObject({
    code: "ledger-no-gas",
    message: expect.stringMatching(/has 0 MIST .* Send SUI/),
  });
  expect(await records.chainAnchors.pending()).toHaveLength(1);
});

test("A gate whose policy is another's to change: anchoring works, and the drift is told", async () => {
  const drifts: number[] = [];
  const chain = await startGrpcChain();
  onTestFinished(() => chain.stop());
  const capless = new Proxy(chain.client, {
    get: (client, key) => {
      const value = Reflect.get(client, key);
      if (key !== "listOwnedObjects") return typeof value === "function" ? value.bind(client) : value;
      return async (options: { type?: string }) =>
        options.type?.endsWith("::PolicyCap")
          ? { objects: [], hasNextPage: false, cursor: null }
          : value.call(client, options);
    },
  });
  const records = sqliteRecords({ path: ":memory:" });
  await records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);
  const ledger = ledgerOver({ ...chain, client: capless }, records, { onDrift: (leaves) => void drifts.push(leaves) });
  onTestFinished(async () => {
    await ledger.close();
    await records.close();
  });
  const anchored = await ledger.anchor(await records.chainAnchors.request(request(), STAMP.at));
  expect(anchored).toMatchObject({ allAuthorized: false, ledgerVersion: "0" });
  expect(await ledger.drift()).toEqual({ leaves: 1, isOursToMend: false });
  expect(drifts[0]).toBe(1);
});
