// The local ledger gives the same results in this process and through the SDK's gRPC client, field by field. And the
// faults of the stand-in do what their names say.
import type { CoreClient } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { toBase58 } from "@mysten/sui/utils";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccessKey, Gate, typeName } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { receiptIdOf } from "#test/support/sdk-receipt-id.ts";
import {
  type Fault,
  type SuiNodeStandIn,
  startSuiNodeStandIn,
} from "#test/support/sui-node-stand-in/sui-node-stand-in.ts";
import { anchorReceipt, draftTransaction, setAccess, signedCalls, type TestCall } from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const owner = signer.toSuiAddress();
const objects = { content: true, previousTransaction: true, objectBcs: true, json: true } as const;
const everything = {
  effects: true,
  events: true,
  objectTypes: true,
  transaction: true,
  bcs: true,
  balanceChanges: true,
} as const;

const newLedger = () => {
  let time = 1_700_000_000_000;
  return createLocalSui({ log: memoryLog(), owner, clock: () => ++time });
};

let ledger: LocalSui;
let node: SuiNodeStandIn;
let remote: CoreClient;

beforeEach(async () => {
  ledger = await newLedger();
  node = await startSuiNodeStandIn(ledger);
  remote = new SuiGrpcClient({ network: "local", baseUrl: node.baseUrl }).core;
});
afterEach(() => node.close());

/** Calls all methods with the client, and returns their results. An error is a result too. */
async function script(client: CoreClient, ids: LocalSui): Promise<unknown[]> {
  const results: unknown[] = [];
  const add = async (result: Promise<unknown>) => {
    results.push(
      await result.catch((error) => ({
        name: error.name,
        code: error.code,
        reason: error.reason,
        message: error.message,
      })),
    );
  };
  const run = async (...calls: TestCall[]) => {
    const signed = await signedCalls(client, ids, signer, calls);
    const digest = TransactionDataBuilder.getDigestFromBytes(signed.transaction);
    await add(client.getTransaction({ digest }));
    await add(client.executeTransaction({ ...signed, include: everything }));
    await add(client.executeTransaction(signed));
    for (const include of [everything, {}, { effects: true }, { objectTypes: true }])
      await add(client.getTransaction({ digest, include }));
    return signed;
  };
  await run(setAccess("trainer", "health"), setAccess("trainer", "diary"));
  await run(
    anchorReceipt({ claimed: ["diary", "health"] }),
    setAccess("trainer", "diary", false),
    anchorReceipt({ claimed: ["diary"] }),
  );
  const stale = await run(anchorReceipt({ claimed: ["b", "a"] }));
  await add(client.executeTransaction({ ...stale, signatures: ["AAAA"] }));
  const old = await signedCalls(client, ids, signer, [setAccess("a", "b")]);
  await run(setAccess("a", "b"), setAccess("a", "c"), setAccess("b", "c"));
  await add(client.executeTransaction({ ...old, include: everything }));

  const receipt = receiptIdOf(ids, {
    digest: new Uint8Array(32).fill(7),
    claimed: ["diary", "health"],
    policyVersion: 2n,
  });
  for (const include of [objects, {}]) {
    await add(
      client.getObjects({ objectIds: [receipt, ids.gateId, ids.policyCapId, ids.anchorCapId, "0x6", "0x99"], include }),
    );
    await add(client.listOwnedObjects({ owner, include }));
    await add(client.listOwnedObjects({ owner, include, type: typeName(ids.packageId, "AnchorCap") }));
    await add(client.listOwnedObjects({ owner, include, limit: 1 }));
  }
  await add(client.getObject({ objectId: "0x99" }));
  await add(client.getObject({ objectId: "gate" }));
  const { object } = await client.getObject({ objectId: ids.gateId, include: { content: true } });
  const parentId = Gate.parse(object.content).access.id;
  await add(client.listDynamicFields({ parentId }));
  const { cursor } = await client.listDynamicFields({ parentId, limit: 2 });
  await add(client.listDynamicFields({ parentId, limit: 2, cursor }));
  await add(client.listDynamicFields({ parentId: ids.gateId }));
  const key = {
    type: typeName(ids.packageId, "AccessKey"),
    bcs: AccessKey.serialize({ agent: "a", namespace: "b" }).toBytes(),
  };
  await add(client.getDynamicField({ parentId, name: key }));
  await add(client.listCoins({ owner }));
  await add(client.getBalance({ owner }));
  await add(client.getReferenceGasPrice());
  await add(client.getChainIdentifier());
  const draft = await draftTransaction(client, ids, [setAccess("x", "y")]);
  draft.setSender(owner);
  await add(client.simulateTransaction({ transaction: await draft.build(), include: { effects: true, events: true } }));
  await add(client.getTransaction({ digest: toBase58(new Uint8Array(32)) }));
  return results;
}

test("both clients give the same results, field by field", async () => {
  const local = await newLedger();
  const [expected, actual] = [await script(local, local), await script(remote, ledger)];
  expect(expected.length).toBeGreaterThan(45);
  for (const [i, result] of expected.entries()) expect(actual[i], `step ${i}`).toEqual(result);
  const failed = expected.filter((result) => JSON.stringify(result)?.includes('"code"'));
  expect(failed.length).toBeGreaterThan(3);
});

describe("a fault of the stand-in", () => {
  type Signed = Awaited<ReturnType<typeof sign>>;
  const sign = () => signedCalls(ledger, ledger, signer, [setAccess("a", "b")]);
  const executed = () => ledger.explorer.recentTransactions({ limit: 9 }).transactions.length - 1;

  /** Gives up when the stand-in has received the call. */
  async function executeAndGiveUp(signed: Signed) {
    const controller = new AbortController();
    const result = remote.executeTransaction({ ...signed, signal: controller.signal });
    const rejection = expect(result).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    await expect.poll(() => node.calls("ExecuteTransaction")).toBe(1);
    controller.abort(new DOMException("too late", "TimeoutError"));
    await rejection;
  }

  async function expectOneExecution(signed: Signed) {
    expect((await remote.executeTransaction(signed)).$kind).toBe("Transaction");
    expect([executed(), node.calls("ExecuteTransaction")]).toEqual([1, 2]);
  }

  test.each<[Fault, number]>([
    [{ kind: "late" }, 1],
    [{ kind: "never", executes: true }, 1],
    [{ kind: "never", executes: false }, 0],
    [{ kind: "held", until: "client-gone" }, 1],
    [{ kind: "held", until: "next-answer" }, 0],
  ])("%o is met by one call, which gets no answer", async (fault, count) => {
    node.inject("ExecuteTransaction", fault);
    const signed = await sign();
    await executeAndGiveUp(signed);
    await expect.poll(executed).toBe(count);
    await expectOneExecution(signed);
    await node.idle();
    expect(executed()).toBe(1);
  });

  test.each<[Fault, string, number]>([
    [{ kind: "error", executes: true }, "INTERNAL", 1],
    [{ kind: "error", executes: false, code: "UNAVAILABLE" }, "UNAVAILABLE", 0],
    [{ kind: "drop", executes: true }, "INTERNAL", 1],
    [{ kind: "drop", executes: false }, "INTERNAL", 0],
  ])("%o is met by one call, which gets %s", async (fault, code, count) => {
    node.inject("ExecuteTransaction", fault);
    const signed = await sign();
    await expect(remote.executeTransaction(signed)).rejects.toMatchObject({ code });
    expect(executed()).toBe(count);
    await expectOneExecution(signed);
  });

  test("isDown lasts until it is reset", async () => {
    node.isDown = true;
    await expect(remote.getReferenceGasPrice()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    node.isDown = false;
    expect(await remote.getReferenceGasPrice()).toEqual({ referenceGasPrice: "0" });
  });
});
