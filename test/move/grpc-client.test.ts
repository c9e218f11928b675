// The same script on the local ledger in process, and through the SDK's gRPC client over a socket: the same results,
// field by field. And the faults of the face are what they are called.
import type { CoreClient } from "@mysten/sui/client";
import { SuiGrpcClient } from "@mysten/sui/grpc";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { toBase58 } from "@mysten/sui/utils";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { AccessKey, Gate, receiptIdOf, typeName } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui, memoryLog } from "#adapters/ledger/local/index.ts";
import {
  anchorReceipt,
  draftTransaction,
  setAccess,
  signedCalls,
  type TestCall,
} from "#test/adapters/local-ledger/fixture.ts";
import { createGrpcFace, type Fault, type GrpcFace } from "#test/support/grpc-face/index.ts";

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
let face: GrpcFace;
let remote: CoreClient;

beforeEach(async () => {
  ledger = await newLedger();
  face = await createGrpcFace(ledger);
  remote = new SuiGrpcClient({ network: "local", baseUrl: face.baseUrl }).core;
});
afterEach(() => face.close());

/** What there is to see, through whichever client. Errors are seen too. */
async function script(client: CoreClient, ids: LocalSui): Promise<unknown[]> {
  const seen: unknown[] = [];
  const see = async (what: Promise<unknown>) => {
    seen.push(
      await what.catch((error) => ({
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
    await see(client.getTransaction({ digest }));
    await see(client.executeTransaction({ ...signed, include: everything }));
    await see(client.executeTransaction(signed));
    for (const include of [everything, {}, { effects: true }, { objectTypes: true }])
      await see(client.getTransaction({ digest, include }));
    return signed;
  };
  await run(setAccess("trainer", "health"), setAccess("trainer", "diary"));
  await run(
    anchorReceipt({ claimed: ["diary", "health"] }),
    setAccess("trainer", "diary", false),
    anchorReceipt({ claimed: ["diary"] }),
  );
  const stale = await run(anchorReceipt({ claimed: ["b", "a"] }));
  await see(client.executeTransaction({ ...stale, signatures: ["AAAA"] }));
  const old = await signedCalls(client, ids, signer, [setAccess("a", "b")]);
  await run(setAccess("a", "b"), setAccess("a", "c"), setAccess("b", "c"));
  await see(client.executeTransaction({ ...old, include: everything }));

  const receipt = receiptIdOf(ids, {
    digest: new Uint8Array(32).fill(7),
    claimed: ["diary", "health"],
    policyVersion: 2n,
  });
  for (const include of [objects, {}]) {
    await see(
      client.getObjects({ objectIds: [receipt, ids.gateId, ids.policyCapId, ids.anchorCapId, "0x6", "0x99"], include }),
    );
    await see(client.listOwnedObjects({ owner, include }));
    await see(client.listOwnedObjects({ owner, include, type: typeName(ids.packageId, "AnchorCap") }));
    await see(client.listOwnedObjects({ owner, include, limit: 1 }));
  }
  await see(client.getObject({ objectId: "0x99" }));
  await see(client.getObject({ objectId: "gate" }));
  const { object } = await client.getObject({ objectId: ids.gateId, include: { content: true } });
  const parentId = Gate.parse(object.content).access.id;
  await see(client.listDynamicFields({ parentId }));
  const { cursor } = await client.listDynamicFields({ parentId, limit: 2 });
  await see(client.listDynamicFields({ parentId, limit: 2, cursor }));
  await see(client.listDynamicFields({ parentId: ids.gateId }));
  const key = {
    type: typeName(ids.packageId, "AccessKey"),
    bcs: AccessKey.serialize({ agent: "a", namespace: "b" }).toBytes(),
  };
  await see(client.getDynamicField({ parentId, name: key }));
  await see(client.listCoins({ owner }));
  await see(client.getBalance({ owner }));
  await see(client.getReferenceGasPrice());
  await see(client.getChainIdentifier());
  const draft = await draftTransaction(client, ids, [setAccess("x", "y")]);
  draft.setSender(owner);
  await see(client.simulateTransaction({ transaction: await draft.build(), include: { effects: true, events: true } }));
  await see(client.getTransaction({ digest: toBase58(new Uint8Array(32)) }));
  return seen;
}

test("both ways give the same, field by field", async () => {
  const local = await newLedger();
  const [near, far] = [await script(local, local), await script(remote, ledger)];
  expect(near.length).toBeGreaterThan(45);
  for (const [i, seen] of near.entries()) expect(far[i], `step ${i}`).toEqual(seen);
  const failed = near.filter((seen) => JSON.stringify(seen)?.includes('"code"'));
  expect(failed.length).toBeGreaterThan(3);
});

describe("a fault", () => {
  const execute = (signed: { transaction: Uint8Array; signatures: string[] }, ms = 250) =>
    remote.executeTransaction({ ...signed, signal: AbortSignal.timeout(ms) });
  const sign = () => signedCalls(ledger, ledger, signer, [setAccess("a", "b")]);
  const executed = () => ledger.recentTransactions({ limit: 9 }).transactions.length - 1;

  test.each<[Fault, string, number]>([
    [{ kind: "late", ms: 2_000 }, "DEADLINE_EXCEEDED", 1],
    [{ kind: "never", executes: true }, "DEADLINE_EXCEEDED", 1],
    [{ kind: "never", executes: false }, "DEADLINE_EXCEEDED", 0],
    [{ kind: "held", ms: 2_000 }, "DEADLINE_EXCEEDED", 0],
    [{ kind: "error", executes: true }, "INTERNAL", 1],
    [{ kind: "error", executes: false, code: "UNAVAILABLE" }, "UNAVAILABLE", 0],
    [{ kind: "drop", executes: true }, "INTERNAL", 1],
    [{ kind: "drop", executes: false }, "INTERNAL", 0],
  ])("%o is met once", async (fault, code, count) => {
    face.inject("ExecuteTransaction", fault);
    const signed = await sign();
    await expect(execute(signed)).rejects.toMatchObject({ code });
    expect(executed()).toBe(count);
    expect((await execute(signed, 5_000)).$kind).toBe("Transaction");
    expect([executed(), face.calls("ExecuteTransaction")]).toEqual([1, 2]);
  });

  test("of a node that is down lasts until it is up", async () => {
    face.isDown = true;
    await expect(remote.getReferenceGasPrice()).rejects.toMatchObject({ code: "UNAVAILABLE" });
    face.isDown = false;
    expect(await remote.getReferenceGasPrice()).toEqual({ referenceGasPrice: "0" });
  });

  test("that is held executes when the client has gone", async () => {
    face.inject("ExecuteTransaction", { kind: "held", ms: 200 });
    await expect(execute(await sign(), 50)).rejects.toMatchObject({ code: "DEADLINE_EXCEEDED" });
    await expect.poll(executed).toBe(1);
  });
});
