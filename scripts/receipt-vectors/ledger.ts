// Vectors of the ledger: ids of receipts, a receipt and its gate as objects, and a transaction that anchors. Objects and
// transaction are written with Sui's own SDK.
import { bcs, TypeTagSerializer } from "@mysten/sui/bcs";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { Transaction, TransactionDataBuilder } from "@mysten/sui/transactions";
import { deriveDynamicFieldID, toBase58, toBase64 } from "@mysten/sui/utils";
import { ClosedField, Gate, MODULE, Receipt } from "#adapters/ledger/gate-module.ts";
import { digestHex, digestOf } from "#core/encoding/digest.ts";
import { receiptIdOf } from "#test/support/sdk-receipt-id.ts";
import { PUBLIC_KEY, SECRET_KEY } from "./inputs.ts";
import type { ReceiptVector } from "./receipts.ts";

const id = (byte: number): string => `0x${byte.toString(16).padStart(2, "0").repeat(32)}`;
const PACKAGE = id(0xa1);
const GATE = id(0xb2);
const CLOSED = id(0xc4);
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, "hex"));

/** An anchor of the given receipt. */
export async function ledgerVectors({ receipt }: ReceiptVector) {
  const claimed = [...new Set(receipt.usedMemories.map(({ namespace }) => namespace))].sort();
  const digest = digestOf(receipt);
  const { policyVersion } = receipt.evidence;
  const receiptId = idOf(digest, claimed, BigInt(policyVersion));
  const anchoredAtMs = Date.parse(receipt.createdAt) + 60_000;
  const { transaction, txDigest } = await anchoring({ receipt, digest, claimed });
  const contents = Receipt.serialize({
    id: receiptId,
    gate: GATE,
    agent: receipt.agentId,
    blob_id: Buffer.from(digest, "hex").toString("base64url"),
    digest: bytesOf(digest),
    claimed,
    all_authorized: true,
    policy_version: policyVersion,
    closed_at_ms: anchoredAtMs - 90_000,
    superseded_at_ms: anchoredAtMs - 30_000,
    anchored_at_ms: anchoredAtMs,
  }).toBytes();
  const gate = Gate.serialize({
    id: GATE,
    access: { id: id(0xc3), size: 3 },
    version: policyVersion + 1,
    closed: { id: CLOSED, size: 13 },
    keys: [
      { public_key: bytesOf("11".repeat(32)), added_at_ms: 1, ended_at_ms: anchoredAtMs - 1 },
      { public_key: bytesOf(PUBLIC_KEY), added_at_ms: 2, ended_at_ms: null },
    ],
    pseudonyms: false,
  }).toBytes();
  const closingId = deriveDynamicFieldID(CLOSED, "u64", bcs.u64().serialize(policyVersion).toBytes());
  const closing = ClosedField.serialize({
    id: closingId,
    name: policyVersion,
    value: { closed_at_ms: anchoredAtMs - 90_000, superseded_at_ms: anchoredAtMs - 30_000 },
  }).toBytes();
  return {
    packageId: PACKAGE,
    gateId: GATE,
    ids: idVectors(),
    receiptId,
    closingId,
    closing: object(CLOSING, closing, { ObjectOwner: CLOSED }, txDigest),
    receipt: object(ofGate("Receipt"), contents, { Immutable: true }, txDigest),
    gate: object(ofGate("Gate"), gate, { Shared: { initialSharedVersion: 3 } }, txDigest),
    transaction,
  };
}

const idOf = (digest: string, claimed: readonly string[], policyVersion: bigint): string =>
  receiptIdOf({ packageId: PACKAGE, gateId: GATE }, { digest: bytesOf(digest), claimed, policyVersion });

function idVectors() {
  const digest = "ab".repeat(32);
  const keys: [claimed: string[], policyVersion: bigint][] = [
    [[], 0n],
    [["diet", "health"], 12n],
    [["x".repeat(200), "é", "\u{10400}"], 2n ** 64n - 1n],
    [Array.from({ length: 64 }, (_, i) => `n${String(i).padStart(2, "0")}`), 2n ** 53n],
  ];
  return keys.map(([claimed, policyVersion]) => ({
    digest,
    claimed,
    policyVersion: String(policyVersion),
    id: idOf(digest, claimed, policyVersion),
  }));
}

type Owner = Parameters<typeof bcs.Object.serialize>[0]["owner"];

const ofGate = (name: string) => ({ address: PACKAGE, module: MODULE, name, typeParams: [] });
/** An entry of the table of closed versions. */
const CLOSING = {
  address: id(0).replace(/0$/, "2"),
  module: "dynamic_field",
  name: "Field",
  typeParams: [{ u64: null }, { struct: ofGate("Closing") }],
};

function object(
  type: ReturnType<typeof ofGate> | typeof CLOSING,
  contents: Uint8Array,
  owner: Owner,
  previousTransaction: string,
) {
  const bytes = bcs.Object.serialize({
    data: { Move: { type: { Other: type as never }, hasPublicTransfer: false, version: 300, contents } },
    owner,
    previousTransaction,
    storageRebate: 2_500_000,
  }).toBytes();
  const digest = toBase58(bytesOf(digestHex(Buffer.concat([Buffer.from("Object::"), bytes]))));
  return {
    type: TypeTagSerializer.tagToString({ struct: type } as never),
    bcs: toBase64(bytes),
    contents: toBase64(contents),
    digest,
    previousTransaction,
  };
}

interface Anchored extends Pick<ReceiptVector, "receipt"> {
  readonly digest: string;
  readonly claimed: readonly string[];
}

async function anchoring({ receipt, digest, claimed }: Anchored) {
  const signer = Ed25519Keypair.fromSecretKey(bytesOf(SECRET_KEY));
  const transaction = new Transaction();
  const ref = (byte: number) => ({ objectId: id(byte), version: "7", digest: toBase58(new Uint8Array(32).fill(byte)) });
  transaction.setSender(signer.toSuiAddress());
  transaction.setExpiration({ None: true });
  transaction.setGasPrice(1_000);
  transaction.setGasBudget(20_000_000);
  transaction.setGasPayment([ref(0xd5)]);
  transaction.moveCall({
    target: `${PACKAGE}::${MODULE}::anchor_receipt`,
    arguments: [
      transaction.sharedObjectRef({ objectId: GATE, initialSharedVersion: "3", mutable: true }),
      transaction.objectRef(ref(0xe6)),
      transaction.pure.string(receipt.agentId),
      transaction.pure.string(Buffer.from(digest, "hex").toString("base64url")),
      transaction.pure(bcs.byteVector().serialize(bytesOf(digest))),
      transaction.pure.vector("string", [...claimed]),
      transaction.pure.u64(receipt.evidence.policyVersion),
      transaction.object.clock(),
    ],
  });
  const bytes = await transaction.build();
  const txDigest = TransactionDataBuilder.getDigestFromBytes(bytes);
  const { signature } = await signer.signTransaction(bytes);
  return {
    transaction: { bcs: toBase64(bytes), digest: txDigest, signature, signer: signer.toSuiAddress() },
    txDigest,
  };
}
