// What is refused: nothing executes, nothing is recorded, no version changes.
import { bcs } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { Inputs, Transaction } from "@mysten/sui/transactions";
import { SUI_CLOCK_OBJECT_ID, toBase58 } from "@mysten/sui/utils";
import { beforeEach, describe, expect, test } from "vitest";
import { memoryLog } from "#adapters/ledger/local/chain/memory-log.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/client/local-sui.ts";
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
  const before = [sui.readObject(sui.gateId), sui.readObject(sui.policyCapId)];
  const error = { name: "RpcError", code, message: expect.stringMatching(message) };
  await expect(sui.executeTransaction(signed)).rejects.toMatchObject(error);
  expect(log.entries).toEqual([]);
  expect([sui.readObject(sui.gateId), sui.readObject(sui.policyCapId)]).toEqual(before);
}

describe("a signature", () => {
  test("of somebody else", async () => {
    const { transaction } = await signedCalls(sui, sui, signer, [call]);
    const { signature } = await stranger.signTransaction(transaction);
    await expectRefused({ transaction, signatures: [signature] }, /^Invalid user signature: 0x/);
  });

  test("of other bytes", async () => {
    const { signatures } = await signedCalls(sui, sui, signer, [call]);
    const { transaction } = await signedCalls(sui, sui, signer, [setAccess("a", "c")]);
    await expectRefused({ transaction, signatures }, /^Invalid user signature/);
  });

  test.each([0, 2])("too few or too many: %i", async (count) => {
    const { transaction, signatures } = await signedCalls(sui, sui, signer, [call]);
    const given = Array.from({ length: count }, () => signatures[0] ?? "");
    await expectRefused({ transaction, signatures: given }, /Expect 1 signer signatures/);
  });

  test.each(["", "AAAA", "not base64", "A".repeat(132)])("that is none: %j", async (signature) => {
    const { transaction } = await signedCalls(sui, sui, signer, [call]);
    await expectRefused({ transaction, signatures: [signature] }, /^Invalid user signature/);
  });

  test("of a sponsor is wanted when somebody else is to pay", async () => {
    const sponsored = await draftTransaction(sui, sui, [call]);
    sponsored.setGasOwner(stranger.toSuiAddress());
    const signed = await sign(sponsored, signer);
    await expectRefused(signed, /Expect 2 signer signatures but got 1/);
    const { signature } = await stranger.signTransaction(signed.transaction);
    const both = { ...signed, signatures: [...signed.signatures, signature] };
    expect((await sui.executeTransaction(both)).$kind).toBe("Transaction");
  });
});

describe("bytes", () => {
  const signBytes = async (transaction: Uint8Array): Promise<Signed> => ({
    transaction,
    signatures: [(await signer.signTransaction(transaction)).signature],
  });

  test.each([[new Uint8Array()], [Uint8Array.of(0)], [new Uint8Array(300).fill(255)]])(
    "that are no transaction",
    async (bytes) => {
      await expectRefused(await signBytes(bytes), /^invalid transaction/);
    },
  );

  test("with one more behind the end", async () => {
    const { transaction } = await signedCalls(sui, sui, signer, [call]);
    await expectRefused(await signBytes(Uint8Array.of(...transaction, 0)), /^invalid transaction/);
  });

  test("of a transaction of the system", async () => {
    const genesis = sui.readTransaction(sui.readObject(sui.gateId)?.previousTransaction ?? "");
    await expectRefused(
      await signBytes(Buffer.from(genesis?.bcs ?? "", "base64")),
      /must not contain system transaction/,
    );
  });
});

describe("an object", () => {
  /** A call of set_access with these references. */
  async function refer(references: { gate?: object; cap?: object }, by = signer): Promise<Signed> {
    const { objectId, version, digest } = (await sui.getObject({ objectId: sui.policyCapId })).object;
    const transaction = await draftTransaction(sui, sui, []);
    const plain = transaction.getData();
    const fresh = Transaction.from(JSON.stringify({ ...plain, inputs: [], commands: [] }));
    const gate = { objectId: sui.gateId, initialSharedVersion: 1, mutable: true, ...references.gate };
    const cap = { objectId, version, digest, ...references.cap };
    const { string, bool } = fresh.pure;
    fresh.moveCall({
      target: `${sui.packageId}::gate::set_access`,
      arguments: [
        fresh.object(Inputs.SharedObjectRef(gate)),
        fresh.object(Inputs.ObjectRef(cap)),
        string("a"),
        string("b"),
        bool(true),
      ],
    });
    return sign(fresh, by);
  }

  const unknown = `0x${"e".repeat(64)}`;

  test("as it should be is taken", async () => {
    expect((await sui.executeTransaction(await refer({}))).$kind).toBe("Transaction");
  });

  test("that does not exist", async () => {
    await expectRefused(await refer({ cap: { objectId: unknown } }), /Could not find the referenced object/, "ABORTED");
    await expectRefused(
      await refer({ gate: { objectId: unknown } }),
      /Could not find the referenced object/,
      "ABORTED",
    );
  });

  test.each(["0", "2", "9"])("in version %s, which is not the present one", async (version) => {
    await expectRefused(
      await refer({ cap: { version } }),
      /needs to be rebuilt.*unavailable for consumption, current version: 1/,
    );
  });

  test("with another digest", async () => {
    await expectRefused(await refer({ cap: { digest: toBase58(new Uint8Array(32)) } }), /^Invalid Object digest/);
  });

  test("of somebody else", async () => {
    await expectRefused(await refer({}, stranger), /is owned by account address/);
  });

  test("shared at another version", async () => {
    await expectRefused(await refer({ gate: { initialSharedVersion: 2 } }), /Wrong initial version/);
  });

  test("that is shared, as owned, and the other way round", async () => {
    await expectRefused(
      await refer({ cap: { objectId: SUI_CLOCK_OBJECT_ID } }),
      /Shared object cannot be used as an owned/,
    );
    await expectRefused(await refer({ gate: { objectId: sui.anchorCapId } }), /used as shared is not shared/);
  });

  test("that is named twice", async () => {
    const { transaction } = await refer({});
    const data = bcs.TransactionData.parse(transaction);
    const inputs = data.V1.kind.ProgrammableTransaction?.inputs ?? [];
    inputs.push(...inputs.slice(0, 1));
    const twice = bcs.TransactionData.serialize(data).toBytes();
    const { signature } = await signer.signTransaction(twice);
    await expectRefused({ transaction: twice, signatures: [signature] }, /Duplicate object reference/);
  });

  test("that is the clock, to change it", async () => {
    await expectRefused(await refer({ gate: { objectId: SUI_CLOCK_OBJECT_ID } }), /immutable parameter expected/);
  });
});

describe("a command", () => {
  const command = async (add: (transaction: Transaction) => void) => {
    const transaction = await draftTransaction(sui, sui, [call]);
    add(transaction);
    return sign(transaction, signer);
  };

  test("that is no call", async () => {
    const signed = await command((transaction) => transaction.makeMoveVec({ type: "u8", elements: [] }));
    await expectRefused(signed, /the local ledger has no MakeMoveVec/, "UNIMPLEMENTED");
  });

  test("of another package", async () => {
    const signed = await command((transaction) => transaction.moveCall({ target: "0x99::gate::set_access" }));
    await expectRefused(signed, /Dependent package not found/, "ABORTED");
  });

  test("that only looks", async () => {
    const signed = await command((transaction) => transaction.moveCall({ target: `${sui.packageId}::gate::version` }));
    await expectRefused(signed, /does not call the view gate::version/, "UNIMPLEMENTED");
  });
});

describe("beyond Sui's limits:", () => {
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

  test("a chain of another name", async () => {
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
