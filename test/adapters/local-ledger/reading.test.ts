// Reading the ledger, through the SDK and through the explorer.
import { ObjectError } from "@mysten/sui/client";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { deriveDynamicFieldID, SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { beforeEach, describe, expect, test } from "vitest";
import { AccessKey, Gate, History, typeName } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { anchorReceipt, closeVersion, draftTransaction, setAccess, signedCalls, type TestCall } from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const owner = signer.toSuiAddress();
const everything = { effects: true, events: true, objectTypes: true, transaction: true, bcs: true } as const;

let sui: LocalSui;
let log: ReturnType<typeof memoryLog>;
let time: number;

beforeEach(async () => {
  time = 1_700_000_000_000;
  log = memoryLog();
  sui = await createLocalSui({ log, owner, clock: () => time });
});

const run = async (...calls: TestCall[]) =>
  sui.executeTransaction({ ...(await signedCalls(sui, sui, signer, calls)), include: everything });

const gateNow = async () => {
  const { object } = await sui.getObject({ objectId: sui.gateId, include: { content: true } });
  return Gate.parse(object.content);
};

describe("what the ledger does not have", () => {
  test("an unknown id gives an error in its place, and a malformed id rejects the call", async () => {
    const { objects } = await sui.getObjects({ objectIds: ["0x1234", sui.gateId] });
    expect(objects[0]).toBeInstanceOf(ObjectError);
    expect(objects[0]).toMatchObject({ reason: "notFound", objectId: "0x1234" });
    expect(objects[1]).toMatchObject({ objectId: sui.gateId });
    await expect(sui.getObjects({ objectIds: ["gate"] })).rejects.toMatchObject({
      name: "RpcError",
      code: "INVALID_ARGUMENT",
    });
  });

  test("balances, names and zkLogin give constants or reject", async () => {
    expect((await sui.listCoins({ owner })).objects).toMatchObject([{ objectId: sui.gasCoinId, balance: "0" }]);
    expect((await sui.listCoins({ owner: "0x9" })).objects).toEqual([]);
    expect(await sui.getBalance({ owner })).toMatchObject({ balance: { balance: "0" } });
    expect(await sui.getReferenceGasPrice()).toEqual({ referenceGasPrice: "0" });
    await expect(sui.listEvents()).rejects.toMatchObject({ code: "UNIMPLEMENTED" });
    await expect(sui.resolveNameServiceAddress()).rejects.toThrow("the local ledger has no name service");
  });
});

describe("the access table", () => {
  test("is listed as dynamic fields, by page", async () => {
    const pairs = Array.from({ length: 7 }, (_, i) => ({ agent: `agent ${i}`, namespace: "health" }));
    await run(...pairs.map(({ agent, namespace }) => setAccess(agent, namespace)));
    const parentId = (await gateNow()).access.id;
    const found = [];
    for (let cursor: string | null = null, more = true; more; ) {
      const page: Awaited<ReturnType<LocalSui["listDynamicFields"]>> = await sui.listDynamicFields({
        parentId,
        cursor,
        limit: 3,
      });
      found.push(...page.dynamicFields);
      cursor = page.cursor;
      more = page.hasNextPage;
    }
    const keyType = typeName(sui.packageId, "AccessKey");
    expect(found.map(({ name }) => AccessKey.parse(name.bcs)).sort((a, b) => (a.agent < b.agent ? -1 : 1))).toEqual(
      pairs,
    );
    for (const { fieldId, name, valueType } of found) {
      expect([fieldId, name.type, valueType]).toEqual([
        deriveDynamicFieldID(parentId, keyType, name.bcs),
        keyType,
        typeName(sui.packageId, "History"),
      ]);
    }
    const name = { type: keyType, bcs: AccessKey.serialize({ agent: "agent 3", namespace: "health" }).toBytes() };
    const { dynamicField } = await sui.getDynamicField({ parentId, name });
    expect(History.parse(dynamicField.value.bcs)).toEqual({
      changes: [{ version: "1", allowed: true }],
      is_cut: false,
    });
    await expect(sui.listDynamicFields({ parentId, cursor: "AAAA" })).rejects.toThrow("invalid page_token");
  });
});

test("the history of the explorer goes back to the genesis", async () => {
  for (const agent of ["a", "b"]) await run(setAccess(agent, "x"));
  const first = sui.explorer.recentTransactions({ limit: 2 });
  expect(first).toMatchObject({
    transactions: [{ sequence: 2, functions: { set_access: 1 } }, { sequence: 1 }],
    next: 1,
  });
  expect(sui.explorer.recentTransactions({ before: 1, limit: 2 }).transactions).toMatchObject([{ sequence: 0 }]);
});

test("the explorer decodes objects and transactions", async () => {
  const { Transaction: done } = await run(
    setAccess("trainer", "health"),
    closeVersion(1),
    anchorReceipt({ claimed: ["health"], policyVersion: 1 }),
  );
  const described = sui.explorer.readTransaction(done?.digest ?? "");
  expect(described).toMatchObject({
    sender: owner,
    calls: [
      { function: "set_access", arguments: { gate: sui.gateId, agent: "trainer", namespace: "health", allowed: true } },
      { function: "close_version", arguments: { version: "1" } },
      {
        function: "anchor_receipt",
        arguments: { digest: "07".repeat(32), claimed: ["health"], policy_version: "1", clock: SUI_CLOCK_OBJECT_ID },
      },
    ],
    events: [
      { name: "AccessChanged", fields: { version: "1" } },
      { name: "VersionClosed", fields: { version: "1", closed_at_ms: String(time) } },
      { name: "ReceiptAnchored", fields: { digest: "07".repeat(32) } },
    ],
  });
  expect(() => JSON.stringify(described)).not.toThrow();
  const receipt = described?.changedObjects.find(({ type }) => type.endsWith("::Receipt"));
  expect(sui.explorer.readObject(receipt?.objectId ?? "")).toMatchObject({
    owner: { $kind: "Immutable" },
    fields: { agent: "trainer", digest: "07".repeat(32), all_authorized: true, policy_version: "1" },
  });
  expect([
    sui.explorer.readObject("0x99"),
    sui.explorer.readObject("no id"),
    sui.explorer.readTransaction("none"),
  ]).toEqual([undefined, undefined, undefined]);
});

test("a simulation records nothing", async () => {
  const transaction = await draftTransaction(sui, sui, [setAccess("a", "b")]);
  transaction.setSender(owner);
  const result = await sui.simulateTransaction({ transaction, include: { effects: true } });
  expect(result.Transaction?.effects.changedObjects).toHaveLength(4);
  transaction.setGasPayment([]);
  expect((await sui.simulateTransaction({ transaction })).$kind).toBe("Transaction");
  expect(await gateNow()).toMatchObject({ version: "0" });
  expect(log.entries).toEqual([]);
});
