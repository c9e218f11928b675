// Transactions that execute and fail. They are on record, and change nothing but the versions of their objects.
import { bcs } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import type { Transaction } from "@mysten/sui/transactions";
import { beforeEach, describe, expect, test } from "vitest";
import { ABORTS, Gate } from "#adapters/ledger/gate-module.ts";
import { createLocalSui, type LocalSui } from "#adapters/ledger/local/local-sui.ts";
import { memoryLog } from "#test/support/memory-log.ts";
import {
  anchorReceipt,
  closeVersion,
  draftTransaction,
  setAccess,
  sign,
  signedCalls,
  type TestCall,
} from "./fixture.ts";

const signer = Ed25519Keypair.fromSecretKey(new Uint8Array(32).fill(1));

let sui: LocalSui;
let log: ReturnType<typeof memoryLog>;

beforeEach(async () => {
  log = memoryLog();
  sui = await createLocalSui({ log, owner: signer.toSuiAddress(), gates: 2 });
});

const include = { effects: true, events: true } as const;
const run = async (...calls: TestCall[]) =>
  sui.executeTransaction({ ...(await signedCalls(sui, sui, signer, calls)), include });

const digest = (byte: number) => new Uint8Array(32).fill(byte);
const numbered = (count: number) => Array.from({ length: count }, (_, i) => `n${String(i).padStart(3, "0")}`);

const aborts: [(typeof ABORTS)[number], string, TestCall][] = [
  ["EWrongGate", "set_access with the capability of another gate", { ...setAccess("", ""), capOf: 1 }],
  ["EWrongGate", "anchor_receipt with the capability of another gate", { ...anchorReceipt({ agent: "" }), capOf: 1 }],
  ["EInvalidAgent", "an empty agent", setAccess("", "")],
  ["EInvalidAgent", "an agent of 257 bytes", setAccess(`${"é".repeat(128)}a`, "b")],
  ["EInvalidAgent", "an empty agent of an anchor", anchorReceipt({ agent: "", blobId: "" })],
  ["EInvalidNamespace", "an empty namespace", setAccess("a", "")],
  ["EInvalidNamespace", "a namespace of 257 bytes", setAccess("a", "b".repeat(257))],
  ["EInvalidBlobId", "an empty blob id", anchorReceipt({ blobId: "", digest: digest(1).subarray(1) })],
  ["EInvalidBlobId", "a blob id of 129 bytes", anchorReceipt({ blobId: "x".repeat(129) })],
  ["EInvalidDigest", "a digest of 31 bytes", anchorReceipt({ digest: digest(1).subarray(1), claimed: numbered(65) })],
  ["EInvalidDigest", "an empty digest", anchorReceipt({ digest: new Uint8Array() })],
  ["ETooManyClaims", "65 claims", anchorReceipt({ claimed: [...numbered(64), ""] })],
  ["EInvalidNamespace", "an empty claim, which is also out of order", anchorReceipt({ claimed: ["b", ""] })],
  ["EUnorderedClaims", "the same claim twice", anchorReceipt({ claimed: ["a", "a"] })],
  ["EUnorderedClaims", "descending claims", anchorReceipt({ claimed: ["b", "a"] })],
  // U+10000 comes before U+FFFF in UTF-16, and after it in UTF-8.
  ["EUnorderedClaims", "claims in the order of UTF-16", anchorReceipt({ claimed: ["\u{10000}", "\uffff"] })],
];

describe("an abort", () => {
  test.each(aborts)("is reported with its name, command and function: %s, %s", async (name, _, call) => {
    const result = await run(setAccess("x", "y"), call);
    expect(result.$kind).toBe("FailedTransaction");
    expect(result.FailedTransaction?.status.error).toMatchObject({
      $kind: "MoveAbort",
      command: 1,
      MoveAbort: {
        abortCode: String(ABORTS.indexOf(name)),
        location: { package: sui.packageId, module: "gate", functionName: call.function },
      },
    });
  });

  test("EAlreadyAnchored refuses the same anchor in the same transaction and in a later one", async () => {
    const twice = await run(anchorReceipt({ claimed: ["a"] }), anchorReceipt({ claimed: ["a"], agent: "other" }));
    expect(twice.FailedTransaction?.status.error).toMatchObject({ command: 1, MoveAbort: { abortCode: "7" } });
    await run(anchorReceipt({ claimed: ["a"] }));
    const later = await run(anchorReceipt({ claimed: ["a"], blobId: "elsewhere" }));
    expect(later.FailedTransaction?.status.error).toMatchObject({ command: 0, MoveAbort: { abortCode: "7" } });
    await run(closeVersion(1));
    expect((await run(anchorReceipt({ claimed: ["a"], policyVersion: 1 }))).$kind).toBe("Transaction");
  });

  test("undoes the calls before it, and gives the input objects a new version", async () => {
    const before = sui.explorer.readObject(sui.gateId);
    const { FailedTransaction: failed } = await run(setAccess("a", "b"), anchorReceipt(), setAccess("", "b"));
    expect(failed?.events).toEqual([]);
    const { changedObjects, eventsDigest, lamportVersion } = failed?.effects ?? {};
    expect(eventsDigest).toBe(null);
    expect(changedObjects?.map(({ objectId }) => objectId)).toEqual(
      [sui.gateId, sui.policyCapId, sui.anchorCapId, sui.gasCoinId].sort(),
    );
    const after = sui.explorer.readObject(sui.gateId);
    expect(after?.content).toBe(before?.content);
    expect([before?.version, after?.version, lamportVersion]).toEqual(["1", "3", "3"]);
    expect(sui.explorer.readObject(sui.policyCapId)).toMatchObject({
      version: "3",
      previousTransaction: failed?.digest,
    });
    expect(log.entries).toHaveLength(1);
  });

  test("is the result again when the same transaction is sent again", async () => {
    const signed = await signedCalls(sui, sui, signer, [setAccess("", "b")]);
    const first = await sui.executeTransaction({ ...signed, include });
    expect(await sui.executeTransaction({ ...signed, include })).toEqual(first);
    expect(sui.explorer.readTransaction(first.FailedTransaction?.digest ?? "")).toMatchObject({
      status: { success: false },
    });
  });
});

test("names of 256 bytes, 64 claims and a blob id of 128 bytes are accepted", async () => {
  const long = "é".repeat(128);
  const result = await run(
    setAccess(long, long),
    anchorReceipt({ agent: long, blobId: "x".repeat(128), claimed: numbered(64) }),
  );
  expect(result.$kind).toBe("Transaction");
});

describe("an invalid argument fails the transaction", () => {
  type Args = Parameters<Transaction["moveCall"]>[0]["arguments"];

  async function call(name: string, args: (transaction: Transaction) => Args, typeArguments: string[] = []) {
    const transaction = await draftTransaction(sui, sui, [setAccess("", "")]);
    transaction.moveCall({
      target: `${sui.packageId}::gate::${name}`,
      arguments: args(transaction) ?? [],
      typeArguments,
    });
    const result = await sui.executeTransaction({ ...(await sign(transaction, signer)), include });
    return result.FailedTransaction?.status.error;
  }

  // The first call of each transaction would abort as well, but types are checked first.
  const gate = { $kind: "Input", Input: 0 } as const;
  const clock = { $kind: "Input", Input: 1 } as const;
  const cap = { $kind: "Input", Input: 2 } as const;
  const raw = (transaction: Transaction, ...bytes: number[]) => transaction.pure(Uint8Array.from(bytes));

  test("too few arguments, type arguments where there are none, and an unknown function", async () => {
    expect(await call("set_access", () => [gate])).toMatchObject({ message: "ArityMismatch", command: 1 });
    expect(await call("set_access", () => [gate, cap, cap, cap, cap], ["u8"])).toMatchObject({
      message: "TypeArityMismatch",
    });
    for (const name of ["give_access", "constructor", "__proto__"]) {
      expect(await call(name, () => [])).toMatchObject({ message: "FunctionNotFound", command: 1 });
    }
  });

  test.each<[string, number, string, (t: Transaction) => Args]>([
    [
      "a capability of the wrong kind",
      1,
      "TypeMismatch",
      (t) => [gate, cap, t.pure.string("a"), t.pure.string("b"), raw(t), raw(t), raw(t), clock],
    ],
    [
      "a clock in place of the gate",
      0,
      "TypeMismatch",
      (t) => [clock, cap, raw(t), raw(t), raw(t), raw(t), raw(t), clock],
    ],
    [
      "a pure value in place of the gate",
      0,
      "InvalidUsageOfPureArg",
      (t) => [raw(t, 1), cap, raw(t), raw(t), raw(t), raw(t), raw(t), clock],
    ],
    [
      "a result in place of the gate",
      0,
      "InvalidResultArity",
      (t) => [{ $kind: "Result", Result: 0 }, cap, raw(t), raw(t), raw(t), raw(t), raw(t), clock],
    ],
    [
      "the gas coin in place of the gate",
      0,
      "TypeMismatch",
      (t) => [t.gas, cap, raw(t), raw(t), raw(t), raw(t), raw(t), clock],
    ],
  ])("%s", async (_, argument, name, args) => {
    expect(await call("anchor_receipt", args)).toMatchObject({ command: 1, CommandArgumentError: { argument, name } });
  });

  test.each<[string, (t: Transaction) => ReturnType<typeof raw>]>([
    ["an object", () => cap as never],
    ["no bytes", (t) => raw(t)],
    ["bytes after the end", (t) => raw(t, 1, 97, 0)],
    ["fewer bytes than its length", (t) => raw(t, 2, 97)],
    ["a length in a longer form than necessary", (t) => raw(t, 0x81, 0, 97)],
    ["invalid UTF-8", (t) => raw(t, 1, 0xff)],
    ["half a surrogate pair", (t) => raw(t, 3, 0xed, 0xa0, 0x80)],
  ])("text: %s", async (what, text) => {
    const error = await call("set_access", (t) => [
      gate,
      cap,
      text(t),
      t.pure.string("b"),
      t.pure.bool(true),
      t.pure.u64(1),
    ]);
    const name = what === "an object" ? "TypeMismatch" : "InvalidBCSBytes";
    expect(error).toMatchObject({ command: 1, CommandArgumentError: { argument: 2, name } });
  });

  test("a boolean of 2", async () => {
    const error = await call("set_access", (t) => [
      ...[gate, cap, t.pure.string("a"), t.pure.string("b")],
      ...[raw(t, 2), t.pure.u64(1)],
    ]);
    expect(error).toMatchObject({ CommandArgumentError: { argument: 4, name: "InvalidBCSBytes" } });
  });

  test("an input that does not exist", async () => {
    const { transaction } = await signedCalls(sui, sui, signer, [setAccess("a", "b")]);
    const data = bcs.TransactionData.parse(transaction);
    const [command] = data.V1.kind.ProgrammableTransaction?.commands ?? [];
    command?.MoveCall?.arguments.splice(2, 1, { $kind: "Input", Input: 99 });
    const altered = bcs.TransactionData.serialize(data).toBytes();
    const { signature } = await signer.signTransaction(altered);
    const { FailedTransaction: failed } = await sui.executeTransaction({
      transaction: altered,
      signatures: [signature],
    });
    expect(failed?.status.error).toMatchObject({ CommandArgumentError: { argument: 2, name: "IndexOutOfBounds" } });
  });

  test("a gate that is not mutable", async () => {
    const { packageId, gasCoinId, initialSharedVersion } = sui;
    const others = { packageId, gasCoinId, initialSharedVersion, gates: sui.gates.slice(1) };
    const transaction = await draftTransaction(sui, others, []);
    const readOnlyGate = transaction.sharedObjectRef({ objectId: sui.gateId, initialSharedVersion: 1, mutable: false });
    const policyCap = transaction.objectRef((await sui.getObject({ objectId: sui.policyCapId })).object);
    const { string, bool, u64 } = transaction.pure;
    transaction.moveCall({
      target: `${sui.packageId}::gate::set_access`,
      arguments: [readOnlyGate, policyCap, string("a"), string("b"), bool(true), u64(1)],
    });
    const { FailedTransaction: failed } = await sui.executeTransaction({
      ...(await sign(transaction, signer)),
      include,
    });
    expect(failed?.status.error).toMatchObject({
      CommandArgumentError: { argument: 0, name: "InvalidObjectByMutRef" },
    });
    expect(failed?.effects.unchangedConsensusObjects.map(({ objectId }) => objectId)).toContain(sui.gateId);
  });
});

test("a transaction may read 1,000 dynamic fields, and fails at the next", async () => {
  // All anchors read the entry of version 0. Each reads its own marker and, because its first claim is not allowed, one
  // pair of its agent.
  const calls = Array.from({ length: 499 }, (_, i) =>
    anchorReceipt({
      agent: `a${i}`,
      digest: digest(0)
        .with(0, i % 256)
        .with(1, i >> 8),
      claimed: ["x", "y"],
    }),
  );
  const over = await run(...calls, setAccess("one", "more"), setAccess("two", "more"));
  expect(over.FailedTransaction?.status.error).toMatchObject({
    $kind: "Unknown",
    message: "MovePrimitiveRuntimeError",
    command: 500,
  });
  const exact = await run(...calls, setAccess("one", "more"), setAccess("a0", "x", false));
  expect(exact.$kind).toBe("Transaction");
  expect(Gate.parse(Buffer.from(sui.explorer.readObject(sui.gateId)?.content ?? "", "base64")).version).toBe("0");
  expect(bcs.Object.parse(Buffer.from(sui.explorer.readObject(sui.gateId)?.bcs ?? "", "base64")).owner.$kind).toBe(
    "Shared",
  );
});
