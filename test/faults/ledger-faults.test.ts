// The ledger on a full node that misbehaves, through the SDK's own gRPC client. Whatever the node does, a requested
// anchor is minted once or is still pending, and no caller is told otherwise.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { CoreClient } from "@mysten/sui/client";
import { describe, expect, onTestFinished, test } from "vitest";
import { createChainReader } from "#adapters/ledger/sui/chain-reader.ts";
import type { SuiLedgerOptions } from "#adapters/ledger/sui/sui-ledger.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { ledgerOver, request } from "#test/suites/ledger-fixture.ts";
import { type GrpcChain, startGrpcChain } from "#test/support/local-chain.ts";
import type { Fault } from "#test/support/sui-node-stand-in/sui-node-stand-in.ts";
import { fetchPolicyHolder } from "#verification/sui-node.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00Z" };

interface Setup extends Partial<SuiLedgerOptions> {
  /** Replaces methods of the client. */
  readonly methods?: (client: CoreClient) => Partial<CoreClient>;
}

async function setUp({ methods = () => ({}), ...options }: Setup = {}) {
  const chain = await startGrpcChain();
  const records = sqliteRecords({ path: ":memory:" });
  await records.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);
  const client = withMethods(chain.client, methods(chain.client));
  const ledger = ledgerOver({ ...chain, client }, records, options);
  onTestFinished(async () => {
    chain.node.clear();
    await ledger.close();
    await records.close();
    await chain.stop();
  });
  const anchor = async () => ledger.anchor(await records.chainAnchors.request(request(), STAMP.at));
  return { chain, records, ledger, anchor, receipts: () => receiptsOn(chain) };
}

function withMethods(client: CoreClient, methods: Partial<CoreClient>): CoreClient {
  return new Proxy(client, {
    get(target, key) {
      const value = Reflect.get(methods, key) ?? Reflect.get(target, key);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** Counted in the chain itself, so faults of the node do not affect it. */
async function receiptsOn(chain: GrpcChain): Promise<number> {
  return chain.events("ReceiptAnchored").length;
}

describe("an anchor is minted exactly once by a node that", () => {
  const faults: readonly (readonly [string, ...Fault[]])[] = [
    ["executes and answers after the deadline", { kind: "late" }],
    ["executes after the deadline", { kind: "held", until: "client-gone" }],
    ["executes after it has answered a retry", { kind: "held", until: "next-answer" }],
    ["executes and never answers", { kind: "never", executes: true }],
    ["never answers and does not execute", { kind: "never", executes: false }],
    ["executes and answers INTERNAL", { kind: "error", executes: true, code: "INTERNAL" }],
    ["executes and answers INVALID_ARGUMENT", { kind: "error", executes: true, code: "INVALID_ARGUMENT" }],
    ["executes and answers UNAVAILABLE", { kind: "error", executes: true, code: "UNAVAILABLE" }],
    ["answers UNAVAILABLE", { kind: "error", executes: false, code: "UNAVAILABLE" }],
    ["answers RESOURCE_EXHAUSTED", { kind: "error", executes: false, code: "RESOURCE_EXHAUSTED" }],
    ["executes and closes the connection", { kind: "drop", executes: true }],
    ["closes the connection", { kind: "drop", executes: false }],
    [
      "fails in several ways, one after another",
      { kind: "error", executes: false, code: "UNAVAILABLE" },
      { kind: "never", executes: false },
      { kind: "drop", executes: false },
      { kind: "never", executes: true },
    ],
    [
      "answers that the versions of objects are stale",
      {
        kind: "error",
        executes: false,
        code: "FAILED_PRECONDITION",
        message: "Transaction needs to be rebuilt because object version is unavailable for consumption",
      },
    ],
  ];

  test.for(faults)("%s", async ([, ...injected]) => {
    // A retry sends the same bytes, so a deadline that is too short for a busy machine costs retries and nothing else.
    const isSilent = injected.some(({ kind }) => kind === "late" || kind === "held" || kind === "never");
    const { chain, records, ledger, anchor, receipts } = await setUp({
      timeouts: { pauseMs: 5, ...(isSilent && { executeMs: 100 }) },
    });
    chain.node.inject("ExecuteTransaction", ...injected);
    const anchored = await anchor();
    await chain.node.idle();
    expect(await receipts()).toBe(1);
    expect((await ledger.find(anchored.receiptId))?.receipt?.allAuthorized).toBe(true);
    expect(await records.chainAnchors.pending()).toEqual([]);
    expect(await records.chainAnchors.openTransactions()).toEqual([]);
    expect(await anchor()).toEqual(anchored);
    expect(await receipts()).toBe(1);
  });
});

test("rejects with ledger-timeout when the node never answers, and mints the anchor once after a restart", async () => {
  const { chain, records, anchor, receipts } = await setUp({ timeouts: { executeMs: 50, sendMs: 200, pauseMs: 5 } });
  const never = Array.from({ length: 50 }, () => ({ kind: "never", executes: false }) as const);
  chain.node.inject("ExecuteTransaction", ...never);
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-timeout" });
  expect(await receipts()).toBe(0);
  expect(await records.chainAnchors.pending()).toHaveLength(1);
  expect(await records.chainAnchors.openTransactions()).toHaveLength(1);

  chain.node.clear();
  const restarted = ledgerOver(chain, records);
  expect(await restarted.recover()).toBe(1);
  expect(await receipts()).toBe(1);
  expect(await records.chainAnchors.pending()).toEqual([]);
  await restarted.close();
});

test("retries a failed batch by itself, also when no caller waits any more", async () => {
  const { chain, records, anchor, receipts } = await setUp({ timeouts: { retryMs: 20 } });
  chain.node.isDown = true;
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-unavailable" });
  chain.node.isDown = false;
  await expect.poll(() => records.chainAnchors.pending()).toEqual([]);
  expect(await receipts()).toBe(1);
});

test("rejects with ledger-refused when the node refuses, and a new request may succeed", async () => {
  const { chain, records, anchor, receipts } = await setUp();
  chain.node.inject("ExecuteTransaction", { kind: "error", executes: false, code: "INVALID_ARGUMENT", message: "no" });
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-refused" });
  expect(await receipts()).toBe(0);
  expect(await records.chainAnchors.openTransactions()).toEqual([]);
  await anchor();
  expect(await receipts()).toBe(1);
});

test("drops only the request that the node refuses, and anchors the others of its batch", async () => {
  const { records, ledger, receipts } = await setUp();
  const good = Array.from({ length: 9 }, (_, i) => request({ digest: String(i).repeat(64) }));
  // An argument of more than 16 KiB. Every node refuses a transaction with it.
  const bad = request({
    digest: "f".repeat(64),
    claimed: Array.from({ length: 64 }, (_, i) => `${i}`.padStart(260, "n")),
  });
  const all = [...good.slice(0, 4), bad, ...good.slice(4)];
  const pending = await Promise.all(all.map((each) => records.chainAnchors.request(each, STAMP.at)));
  const results = await Promise.allSettled(pending.map((each) => ledger.anchor(each)));
  expect(results.map(({ status }) => status)).toEqual(all.map((each) => (each === bad ? "rejected" : "fulfilled")));
  expect(await receipts()).toBe(9);
  expect(await records.chainAnchors.pending()).toEqual([]);
});

test("rejects with ledger-no-gas when the signer has no coins, with the missing amount, and keeps the request", async () => {
  const { records, anchor } = await setUp({
    methods: () => ({ getReferenceGasPrice: async () => ({ referenceGasPrice: "1000" }) }),
  });
  await expect(anchor()).rejects.toMatchObject({
    code: "ledger-no-gas",
    message: expect.stringMatching(/has 0 SUI, .* Send SUI/),
  });
  expect(await records.chainAnchors.pending()).toHaveLength(1);
});

test("says that the signer of an anchor holds the PolicyCap, to the service and to a verifier who asks the node", async () => {
  const { ledger, anchor, chain } = await setUp();
  const { txDigest } = await anchor();
  const asked = { txDigest, packageId: chain.packageId };
  expect(await ledger.policyHolder(asked)).toBe("signer");
  const node = { network: "localnet", url: chain.node.baseUrl, signal: new AbortController().signal };
  expect(await fetchPolicyHolder(asked, node)).toBe("signer");
  expect(await fetchPolicyHolder({ txDigest, packageId: `0x${"7".repeat(64)}` }, node)).toBe("another");
  await expect(fetchPolicyHolder({ ...asked, txDigest: "1".repeat(32) }, node)).rejects.toThrow();
});

test("anchors on a gate whose policy is somebody else's to change, reads its version, and reports the drift", async () => {
  const drifts: number[] = [];
  const now = new Date("2026-05-01T10:00:00.000Z");
  const { ledger, records, anchor, chain } = await setUp({
    now: () => now,
    onDrift: (rules) => void drifts.push(rules),
    methods: (client) => ({
      listOwnedObjects: async (options) =>
        options.type?.endsWith("::PolicyCap")
          ? { objects: [], hasNextPage: false, cursor: null }
          : client.listOwnedObjects(options),
    }),
  });
  expect(ledger.policyVersion()).toBeUndefined();
  await ledger.sync();
  expect(ledger.policyVersion()).toEqual({ version: 0, readAt: now.toISOString() });
  const { txDigest, ...first } = await anchor();
  expect(first).toMatchObject({ allAuthorized: false, ledgerVersion: "0" });
  expect(await ledger.policyHolder({ txDigest, packageId: chain.packageId })).toBe("another");
  expect(await ledger.drift()).toEqual({ rules: 1, isOursToMend: false });
  expect(drifts[0]).toBe(1);

  // The holder of the PolicyCap allows it, in a version of their own.
  const theirs = sqliteRecords({ path: ":memory:" });
  await theirs.policy.moveBeyond(6, { gateId: "0x0", after: 0 }, STAMP);
  await theirs.policy.set({ agentId: "a", namespace: "diet", allowed: true }, STAMP);
  const holder = ledgerOver(chain, theirs);
  await holder.sync();
  await ledger.sync();
  expect(ledger.policyVersion()).toEqual({ version: 8, readAt: now.toISOString() });
  expect(await ledger.drift()).toEqual({ rules: 0, isOursToMend: false });
  const judge = async (policyVersion: number, ledgerVersion: number | undefined = policyVersion) => {
    const blobId = `blob of ${policyVersion} and ${ledgerVersion}`;
    const body = JSON.stringify({ evidence: { policyVersion, ledgerVersion } });
    await records.anchors.add({ blobId, digest: "", answerId: "ans_1", issued: false, anchoredAt: STAMP.at, body });
    return ledger.anchor(await records.chainAnchors.request(request({ blobId, policyVersion }), STAMP.at));
  };
  expect([(await judge(7)).allAuthorized, (await judge(8)).allAuthorized]).toEqual([false, true]);
  await expect(judge(3)).rejects.toMatchObject({ code: "version-not-on-ledger" });
  // Versions that we count ourselves mean another policy there.
  await expect(judge(8, Number.NaN)).rejects.toMatchObject({ code: "version-not-on-ledger" });
  await holder.close();
  await theirs.close();
});

test("tells the gate again when the first try failed", async () => {
  const { chain, ledger } = await setUp({ timeouts: { retryMs: 20 } });
  chain.node.isDown = true;
  await ledger.sync();
  chain.node.isDown = false;
  await expect.poll(() => ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
});

describe("the lock of anchoring is given up when the gate's table", () => {
  /** Other records on a gate that knows more than they do, so that they read its table. */
  async function behindTheGate(methods: (client: CoreClient) => Partial<CoreClient>) {
    const { chain, ledger } = await setUp();
    await ledger.sync();
    const records = sqliteRecords({ path: ":memory:" });
    const client = withMethods(chain.client, methods(chain.client));
    const other = ledgerOver({ ...chain, client }, records, { timeouts: { readMs: 200, pauseMs: 5, retryMs: 60_000 } });
    onTestFinished(async () => {
      await other.close();
      await records.close();
    });
    const anchored = other.anchor(await records.chainAnchors.request(request(), STAMP.at));
    await expect(anchored).rejects.toMatchObject({ code: "ledger-unavailable" });
    expect(await records.locks.exclusively("anchoring", async () => "free")).toBe("free");
  }

  test("is not answered for", async () => {
    await behindTheGate(() => ({ listDynamicFields: () => new Promise(() => undefined) }));
  });

  test("has no end, and no further page is asked for", async () => {
    let pages = 0;
    await behindTheGate((client) => ({
      async listDynamicFields(options) {
        pages += 1;
        return { ...(await client.listDynamicFields(options)), hasNextPage: true };
      },
    }));
    const asked = pages;
    expect(asked).toBeGreaterThan(1);
    for (let turn = 0; turn < 50; turn++) await nextTurn();
    expect(pages).toBe(asked);
  });
});

test("of several reads at once, none goes on when one has failed", async () => {
  let pages = 0;
  const { anchor } = await setUp({
    methods: () => ({
      getBalance: () => Promise.reject(new Error("no")),
      async listOwnedObjects({ signal }) {
        pages += 1;
        await nextTurn();
        signal?.throwIfAborted();
        return { objects: [], hasNextPage: true, cursor: null };
      },
    }),
    timeouts: { readMs: 60_000, pauseMs: 5, retryMs: 60_000 },
  });
  await expect(anchor()).rejects.toMatchObject({ code: "ledger-unavailable" });
  await nextTurn();
  const asked = pages;
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(pages).toBe(asked);
});

test("the objects of a gate's long table are read several batches at a time", async () => {
  const { chain, records, ledger } = await setUp();
  const rules = Array.from({ length: 200 }, (_, i) => ({ agentId: `agent-${i}`, namespace: "diet", allowed: true }));
  await records.policy.setAll(rules, STAMP);
  await ledger.sync();
  let [open, most, read] = [0, 0, 0];
  const client = withMethods(chain.client, {
    async getObjects(options) {
      open += 1;
      most = Math.max(most, open);
      const found = await chain.client.getObjects(options);
      open -= 1;
      read += found.objects.length;
      return found;
    },
  });
  const chainReader = createChainReader(client, chain, chain.signer.toSuiAddress(), 60_000);
  expect(await chainReader.entries(await chainReader.readGate())).toHaveLength(201);
  expect([read, most > 1]).toEqual([201, true]);
});
