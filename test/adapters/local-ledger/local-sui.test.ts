// Executing transactions through the SDK's client interface.
import { bcs } from "@mysten/sui/bcs";
import { TransactionError } from "@mysten/sui/client";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { TransactionDataBuilder } from "@mysten/sui/transactions";
import { fromBase58, SUI_CLOCK_OBJECT_ID, toBase58 } from "@mysten/sui/utils";
import { beforeEach, describe, expect, test } from "vitest";
import { AccessChanged, Gate, Receipt, ReceiptAnchored, typeName } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { blake2b256 } from "#core/encoding/digest.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { receiptIdOf } from "#test/support/sdk-receipt-id.ts";
import { anchorReceipt, closeVersion, setAccess, signedCalls, type TestCall } from "./fixture.ts";

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

describe("the genesis", () => {
  test("is the same for the same owner, and another for another owner", async () => {
    const again = await createLocalSui({ log: memoryLog(), owner });
    const other = await createLocalSui({ log: memoryLog(), owner: `0x${"9".repeat(64)}` });
    const ids = ({ packageId, gateId, policyCapId, anchorCapId }: LocalSui) => [
      packageId,
      gateId,
      policyCapId,
      anchorCapId,
    ];
    expect(ids(again)).toEqual(ids(sui));
    expect(new Set([...ids(sui), ...ids(other)]).size).toBe(8);
    expect(await again.getChainIdentifier()).toEqual(await sui.getChainIdentifier());
  });

  test("has a shared gate that allows nothing, and gives the owner both capabilities and a coin", async () => {
    const { object: gate } = await sui.getObject({ objectId: sui.gateId, include: { content: true } });
    expect(gate).toMatchObject({
      version: "1",
      type: typeName(sui.packageId, "Gate"),
      owner: { Shared: { initialSharedVersion: "1" } },
    });
    expect(Gate.parse(gate.content)).toMatchObject({ id: sui.gateId, version: "0", access: { size: "0" } });
    const { objects } = await sui.listOwnedObjects({ owner });
    expect(objects.map(({ objectId }) => objectId)).toEqual([sui.policyCapId, sui.anchorCapId, sui.gasCoinId].sort());
    const caps = await sui.listOwnedObjects({ owner, type: typeName(sui.packageId, "AnchorCap") });
    expect(caps.objects.map(({ objectId }) => objectId)).toEqual([sui.anchorCapId]);
  });

  test("is a transaction that the explorer shows", async () => {
    const gate = sui.explorer.readObject(sui.gateId);
    const genesis = sui.explorer.readTransaction(gate?.previousTransaction ?? "");
    expect(genesis).toMatchObject({ sequence: 0, calls: [], status: { success: true } });
    expect(TransactionDataBuilder.getDigestFromBytes(Buffer.from(genesis?.bcs ?? "", "base64"))).toBe(genesis?.digest);
  });
});

describe("a transaction", () => {
  test("changes the policy and anchors, and gives all objects one version", async () => {
    const digest = new Uint8Array(32).fill(9);
    const result = await run(
      setAccess("trainer", "health"),
      closeVersion(1),
      anchorReceipt({ digest, claimed: ["health"], policyVersion: 1 }),
      anchorReceipt({ digest, claimed: ["diary", "health"], policyVersion: 1 }),
    );
    const { Transaction: done } = result;
    expect(done?.status).toEqual({ success: true, error: null });
    expect(await gateNow()).toMatchObject({ version: "1", access: { size: "1" } });

    const receipts = [["health"], ["diary", "health"]].map((claimed) =>
      receiptIdOf(sui, { digest, claimed, policyVersion: 1n }),
    );
    const { objects } = await sui.getObjects({
      objectIds: receipts,
      include: { content: true, previousTransaction: true },
    });
    const contents = objects.map((object) => {
      if (object instanceof Error) throw object;
      expect(object).toMatchObject({
        version: "3",
        owner: { $kind: "Immutable" },
        type: typeName(sui.packageId, "Receipt"),
        previousTransaction: done?.digest,
      });
      return Receipt.parse(object.content);
    });
    expect(contents).toMatchObject([
      {
        id: receipts[0],
        gate: sui.gateId,
        agent: "trainer",
        claimed: ["health"],
        all_authorized: true,
        policy_version: "1",
        closed_at_ms: String(time),
        anchored_at_ms: String(time),
      },
      { id: receipts[1], claimed: ["diary", "health"], all_authorized: false, policy_version: "1" },
    ]);
    expect(done?.events.map(({ eventType }) => eventType.split("::")[2])).toEqual([
      "AccessChanged",
      "VersionClosed",
      "ReceiptAnchored",
      "ReceiptAnchored",
    ]);
    expect(AccessChanged.parse(done?.events[0]?.bcs ?? new Uint8Array())).toEqual({
      gate: sui.gateId,
      agent: "trainer",
      namespace: "health",
      allowed: true,
      version: "1",
    });
    expect(ReceiptAnchored.parse(done?.events[3]?.bcs ?? new Uint8Array())).toMatchObject({
      receipt: receipts[1],
      all_authorized: false,
    });
  });

  test("has effects with the digests of the objects that it wrote", async () => {
    const { Transaction: done } = await run(setAccess("a", "b"), anchorReceipt());
    const effects = done?.effects;
    expect(effects?.lamportVersion).toBe("3");
    expect(effects?.gasUsed).toEqual({
      computationCost: "0",
      storageCost: "0",
      storageRebate: "0",
      nonRefundableStorageFee: "0",
    });
    expect(effects?.unchangedConsensusObjects).toMatchObject([
      { kind: "ReadOnlyRoot", objectId: SUI_CLOCK_OBJECT_ID, version: "2" },
    ]);
    const changed = effects?.changedObjects ?? [];
    expect(changed.map(({ idOperation }) => idOperation).sort()).toEqual([
      "Created",
      "Created",
      "Created",
      "None",
      "None",
      "None",
      "None",
    ]);
    const { objects } = await sui.getObjects({
      objectIds: changed.map(({ objectId }) => objectId),
      include: { objectBcs: true },
    });
    objects.forEach((object, i) => {
      if (object instanceof Error) throw object;
      const digest = toBase58(blake2b256(Buffer.concat([Buffer.from("Object::"), object.objectBcs])));
      expect([object.digest, changed[i]?.outputDigest]).toEqual([digest, digest]);
      expect(bcs.Object.parse(object.objectBcs).data.Move?.version).toBe(changed[i]?.outputVersion);
      expect(done?.objectTypes[object.objectId]).toBe(object.type);
    });
  });

  test("has the digest that Sui gives it, and is found under it", async () => {
    const signed = await signedCalls(sui, sui, signer, [setAccess("a", "b")]);
    const { Transaction: done } = await sui.executeTransaction(signed);
    const digest = TransactionDataBuilder.getDigestFromBytes(signed.transaction);
    expect(done).toMatchObject({ digest, signatures: signed.signatures, checkpoint: null, timestampMs: null });
    const { Transaction: found } = await sui.getTransaction({ digest, include: { bcs: true, transaction: true } });
    expect(found).toMatchObject({ digest, checkpoint: "1", timestampMs: time, bcs: signed.transaction });
    expect(found?.transaction.commands).toHaveLength(1);
    await expect(sui.getTransaction({ digest: toBase58(new Uint8Array(32)) })).rejects.toThrow(TransactionError);
  });

  test("that is sent twice executes once", async () => {
    const signed = await signedCalls(sui, sui, signer, [anchorReceipt()]);
    const [first, second] = await Promise.all(
      [1, 2].map(() => sui.executeTransaction({ ...signed, include: everything })),
    );
    expect(second).toEqual(first);
    expect(log.entries).toHaveLength(1);
  });

  test("is paid with the owner's coin, which gets the version of the transaction and loses nothing", async () => {
    const objectId = sui.gasCoinId ?? "";
    const [before] = (await sui.listCoins({ owner: signer.toSuiAddress() })).objects;
    const { Transaction: done } = await sui.executeTransaction({
      ...(await signedCalls(sui, sui, signer, [setAccess("a", "b")])),
      include: { effects: true },
    });
    const [after] = (await sui.listCoins({ owner: signer.toSuiAddress() })).objects;
    expect(done?.effects.gasObject).toMatchObject({
      objectId,
      inputVersion: before?.version,
      outputVersion: after?.version,
      outputDigest: after?.digest,
    });
    expect(done?.effects.gasUsed).toMatchObject({ computationCost: "0", storageCost: "0" });
    expect(after).toMatchObject({ objectId, version: done?.effects.lamportVersion, balance: "0" });
  });

  test("has effects that the explorer serves as bytes, as the client does", async () => {
    const { Transaction: done } = await run(setAccess("a", "b"), anchorReceipt());
    const served = Buffer.from(sui.explorer.readTransaction(done?.digest ?? "")?.effects ?? "", "base64");
    expect(served).toEqual(Buffer.from(done?.effects.bcs ?? []));
    expect(bcs.TransactionEffects.parse(served).V2?.transactionDigest).toBe(done?.digest);
  });

  test("has effects whose dependencies are in the order of their bytes, as on Sui", async () => {
    let otherwiseInBase58 = 0;
    for (let i = 0; i < 40; i += 1) {
      await run(setAccess("a", `n${i}`));
      const { Transaction: done } = await run(
        anchorReceipt({ digest: new Uint8Array(32).fill(i) }),
        setAccess("b", `n${i}`),
      );
      const dependencies = done?.effects.dependencies ?? [];
      const byBytes = dependencies.toSorted((a, b) => Buffer.compare(fromBase58(a), fromBase58(b)));
      expect(dependencies).toEqual(byBytes);
      if (dependencies.toSorted().join() !== byBytes.join()) otherwiseInBase58 += 1;
    }
    expect(otherwiseInBase58).toBeGreaterThan(0);
  });

  test("that closes an entry and opens it again in one version changes only versions", async () => {
    await run(setAccess("a", "b"));
    const { Transaction: done } = await run(setAccess("a", "b", false, 2), setAccess("a", "b", true, 2));
    expect(done?.effects.changedObjects.map(({ objectId }) => objectId).sort()).toEqual(
      [sui.gateId, sui.policyCapId, sui.gasCoinId].sort(),
    );
    expect(await gateNow()).toMatchObject({ version: "0", access: { size: "1" } });
  });
});
