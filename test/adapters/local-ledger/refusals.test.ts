// Transactions that are refused. They do not execute, are not recorded, and change no version.
import { bcs } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { Inputs, Transaction } from "@mysten/sui/transactions";
import { SUI_CLOCK_OBJECT_ID, toBase58 } from "@mysten/sui/utils";
import { beforeEach, describe, expect, test } from "vitest";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import { anchorReceipt, draftTransaction, type Signed, setAccess, sign, signedCalls } from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));
const stranger = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(2));
const owner = signer.toSuiAddress();
const call = setAccess("a", "b");

let sui: LocalSui;
let log: ReturnType<typeof memoryLog>;

beforeEach(async () => {
  log = memoryLog();
  sui = await createLocalSui({ log, owner });
});

async function expectRefused(signed: Signed, message: RegExp, code = "INVALID_ARGUMENT"): Promise<void> {
  const before = [sui.explorer.readObject(sui.gateId), sui.explorer.readObject(sui.policyCapId)];
  const error = { name: "RpcError", code, message: expect.stringMatching(message) };
  await expect(sui.executeTransaction(signed)).rejects.toMatchObject(error);
  expect(log.entries).toEqual([]);
  expect([sui.explorer.readObject(sui.gateId), sui.explorer.readObject(sui.policyCapId)]).toEqual(before);
}

describe("a transaction is refused for its signatures:", () => {
  test("one of somebody else", async () => {
    const { transaction } = await signedCalls(sui, sui, signer, [call]);
    const { signature } = await stranger.signTransaction(transaction);
    await expectRefused({ transaction, signatures: [signature] }, /^Invalid user signature: 0x/);
  });

  test("one of other bytes", async () => {
    const { signatures } = await signedCalls(sui, sui, signer, [call]);
    const { transaction } = await signedCalls(sui, sui, signer, [setAccess("a", "c")]);
    await expectRefused({ transaction, signatures }, /^Invalid user signature/);
  });

  test.each([0, 2])("%i signatures where one is required", async (count) => {
    const { transaction, signatures } = await signedCalls(sui, sui, signer, [call]);
    const copies = Array.from({ length: count }, () => signatures[0] ?? "");
    await expectRefused({ transaction, signatures: copies }, /Expect 1 signer signatures/);
  });

  test.each(["", "AAAA", "not base64", "A".repeat(132)])("one that is malformed: %j", async (signature) => {
    const { transaction } = await signedCalls(sui, sui, signer, [call]);
    await expectRefused({ transaction, signatures: [signature] }, /^Invalid user signature/);
  });

  test("the sponsor's is missing when the gas has another owner", async () => {
    const sponsored = await draftTransaction(sui, sui, [call]);
    sponsored.setGasOwner(stranger.toSuiAddress());
    const signed = await sign(sponsored, signer);
    await expectRefused(signed, /Expect 2 signer signatures but got 1/);
    const { signature } = await stranger.signTransaction(signed.transaction);
    // Both have signed now, and the coin belongs to neither of the two as a sponsor.
    const both = { ...signed, signatures: [...signed.signatures, signature] };
    await expectRefused(both, /is owned by account address/);
  });
});

describe("a transaction is refused for its payment:", () => {
  const paying = async (change: (transaction: Transaction) => void | Promise<void>) => {
    const transaction = await draftTransaction(sui, sui, [call]);
    await change(transaction);
    return sign(transaction, signer);
  };
  const refOf = async (objectId: string) => (await sui.getObject({ objectId })).object;
  const coin = () => refOf(sui.gasCoinId ?? "");

  test("it has none", async () => {
    const signed = await paying((transaction) => transaction.setGasPayment([]));
    await expectRefused(signed, /^Transaction gas payment missing$/);
    expect(log.entries).toEqual([]);
  });

  test("it names an object that is no coin", async () => {
    const cap = await refOf(sui.anchorCapId);
    await expectRefused(await paying((transaction) => transaction.setGasPayment([cap])), /is not a gas object/);
  });

  test("it names another version of the coin", async () => {
    const old = await coin();
    const stale = { ...old, version: "7" };
    await expectRefused(
      await paying((transaction) => transaction.setGasPayment([stale])),
      /unavailable for consumption/,
    );
  });

  test("it names the coin twice", async () => {
    const payment = [await coin(), await coin()];
    await expectRefused(await paying((transaction) => transaction.setGasPayment(payment)), /cannot appear more than/);
  });

  test("its budget is more than the coin has", async () => {
    await expectRefused(await paying((transaction) => transaction.setGasBudget(1)), /Balance of gas object 0 is lower/);
  });
});

describe("a transaction is refused for its bytes:", () => {
  const signBytes = async (transaction: Uint8Array): Promise<Signed> => ({
    transaction,
    signatures: [(await signer.signTransaction(transaction)).signature],
  });

  test.each([[new Uint8Array()], [Uint8Array.of(0)], [new Uint8Array(300).fill(255)]])(
    "they are not a transaction",
    async (bytes) => {
      await expectRefused(await signBytes(bytes), /^invalid transaction/);
    },
  );

  test("there is one more after the end", async () => {
    const { transaction } = await signedCalls(sui, sui, signer, [call]);
    await expectRefused(await signBytes(Uint8Array.of(...transaction, 0)), /^invalid transaction/);
  });

  test("they are a system transaction", async () => {
    const genesis = sui.explorer.readTransaction(sui.explorer.readObject(sui.gateId)?.previousTransaction ?? "");
    await expectRefused(
      await signBytes(Buffer.from(genesis?.bcs ?? "", "base64")),
      /must not contain system transaction/,
    );
  });
});

describe("a transaction is refused for an object:", () => {
  /** A call of set_access with some references replaced. */
  async function withReferences(references: { gate?: object; cap?: object }, by = signer): Promise<Signed> {
    const { objectId, version, digest } = (await sui.getObject({ objectId: sui.policyCapId })).object;
    const transaction = await draftTransaction(sui, sui, []);
    const plain = transaction.getData();
    const fresh = Transaction.from(JSON.stringify({ ...plain, inputs: [], commands: [] }));
    const gate = { objectId: sui.gateId, initialSharedVersion: 1, mutable: true, ...references.gate };
    const cap = { objectId, version, digest, ...references.cap };
    const { string, bool, u64 } = fresh.pure;
    fresh.moveCall({
      target: `${sui.packageId}::gate::set_access`,
      arguments: [
        fresh.object(Inputs.SharedObjectRef(gate)),
        fresh.object(Inputs.ObjectRef(cap)),
        string("a"),
        string("b"),
        bool(true),
        u64(1),
      ],
    });
    return sign(fresh, by);
  }

  const unknown = `0x${"e".repeat(64)}`;

  test("but correct references are accepted", async () => {
    expect((await sui.executeTransaction(await withReferences({}))).$kind).toBe("Transaction");
  });

  test("it does not exist", async () => {
    await expectRefused(
      await withReferences({ cap: { objectId: unknown } }),
      /Could not find the referenced object/,
      "ABORTED",
    );
    await expectRefused(
      await withReferences({ gate: { objectId: unknown } }),
      /Could not find the referenced object/,
      "ABORTED",
    );
  });

  test.each(["0", "2", "9"])("its version %s is not the current one", async (version) => {
    await expectRefused(
      await withReferences({ cap: { version } }),
      /needs to be rebuilt.*unavailable for consumption, current version: 1/,
    );
  });

  test("its digest is another one", async () => {
    await expectRefused(
      await withReferences({ cap: { digest: toBase58(new Uint8Array(32)) } }),
      /^Invalid Object digest/,
    );
  });

  test("its owner is somebody else", async () => {
    await expectRefused(await withReferences({}, stranger), /is owned by account address/);
  });

  test("it was shared at another version", async () => {
    await expectRefused(await withReferences({ gate: { initialSharedVersion: 2 } }), /Wrong initial version/);
  });

  test("a shared object is named as owned, or an owned one as shared", async () => {
    await expectRefused(
      await withReferences({ cap: { objectId: SUI_CLOCK_OBJECT_ID } }),
      /Shared object cannot be used as an owned/,
    );
    await expectRefused(await withReferences({ gate: { objectId: sui.anchorCapId } }), /used as shared is not shared/);
  });

  test("it is named twice", async () => {
    const { transaction } = await withReferences({});
    const data = bcs.TransactionData.parse(transaction);
    const inputs = data.V1.kind.ProgrammableTransaction?.inputs ?? [];
    inputs.push(...inputs.slice(0, 1));
    const twice = bcs.TransactionData.serialize(data).toBytes();
    const { signature } = await signer.signTransaction(twice);
    await expectRefused({ transaction: twice, signatures: [signature] }, /Duplicate object reference/);
  });

  test("it is the clock, as mutable", async () => {
    await expectRefused(
      await withReferences({ gate: { objectId: SUI_CLOCK_OBJECT_ID } }),
      /immutable parameter expected/,
    );
  });
});

describe("a transaction is refused for a command:", () => {
  const command = async (add: (transaction: Transaction) => void) => {
    const transaction = await draftTransaction(sui, sui, [call]);
    add(transaction);
    return sign(transaction, signer);
  };

  test("it is not a Move call", async () => {
    const signed = await command((transaction) => transaction.makeMoveVec({ type: "u8", elements: [] }));
    await expectRefused(signed, /the local ledger has no MakeMoveVec/, "UNIMPLEMENTED");
  });

  test("it calls another package", async () => {
    const signed = await command((transaction) => transaction.moveCall({ target: "0x99::gate::set_access" }));
    await expectRefused(signed, /Dependent package not found/, "ABORTED");
  });

  test("it calls a view", async () => {
    const signed = await command((transaction) => transaction.moveCall({ target: `${sui.packageId}::gate::version` }));
    await expectRefused(signed, /does not call the view gate::version/, "UNIMPLEMENTED");
  });
});

describe("a transaction is refused beyond Sui's limits:", () => {
  test("1,024 commands", async () => {
    const calls = Array.from({ length: 1024 }, () => call);
    await expectRefused(await signedCalls(sui, sui, signer, calls), /maximum commands.* is 1024/);
  });

  test("an argument of 16 KiB", async () => {
    const signed = await signedCalls(sui, sui, signer, [anchorReceipt({ agent: "a".repeat(16 * 1024 - 3) })]);
    expect(signed.transaction.length).toBeGreaterThan(16 * 1024);
    await expectRefused(
      await signedCalls(sui, sui, signer, [anchorReceipt({ agent: "a".repeat(16 * 1024) })]),
      /maximum pure argument size is 16384/,
    );
  });

  test("128 KiB", async () => {
    const calls = Array.from({ length: 10 }, () => setAccess("a".repeat(14_000), "b"));
    await expectRefused(
      await signedCalls(sui, sui, signer, calls),
      /serialized transaction size exceeded maximum of 131072/,
    );
  });

  test("it names another chain", async () => {
    const transaction = await draftTransaction(sui, sui, [call]);
    const range = { minEpoch: "0", maxEpoch: "1", minTimestamp: null, maxTimestamp: null, nonce: 1 };
    transaction.setExpiration({ ValidDuring: { ...range, chain: toBase58(new Uint8Array(32)) } });
    await expectRefused(await sign(transaction, signer), /Invalid chain ID/);
    const { chainIdentifier } = await sui.getChainIdentifier();
    const ours = await draftTransaction(sui, sui, [call]);
    ours.setExpiration({ ValidDuring: { ...range, chain: chainIdentifier } });
    expect((await sui.executeTransaction(await sign(ours, signer))).$kind).toBe("Transaction");
  });
});
