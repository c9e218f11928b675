// Checkpoints, one for each transaction, and the committee that signs them: what a full node has beside the answers of a core
// client. Three of four validators sign, which is a quorum.
import { bcs } from "@mysten/sui/bcs";
import type { GrpcTypes } from "@mysten/sui/grpc";
import { toBase58 } from "@mysten/sui/utils";
import { bls12_381 } from "@noble/curves/bls12-381.js";
import { blake2b } from "@noble/hashes/blake2.js";

const bls = bls12_381.shortSignatures;
const EPOCH = 7n;
const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const validators = [1, 2, 3, 4].map((byte) => bls.keygen(new Uint8Array(48).fill(byte)));
const SIGNERS = [0, 2, 3];

const committee = {
  epoch: EPOCH,
  members: validators.map(({ publicKey }) => ({ publicKey: Uint8Array.from(publicKey.toBytes()), weight: 2_500n })),
};

export const epochMessage = (epoch: GrpcTypes.Epoch): GrpcTypes.Epoch => ({ ...epoch, committee });

const digest = bcs.vector(bcs.u8());
const executed = bcs.struct("CheckpointTransactionContents", {
  transaction: digest,
  effects: digest,
  signatures: bcs.vector(bcs.tuple([bcs.vector(bcs.u8()), bcs.option(bcs.u64())])),
});
const Contents = bcs.enum("CheckpointContents", { V1: null, V2: bcs.vector(executed) });
const Summary = bcs.struct("CheckpointSummary", {
  epoch: bcs.u64(),
  sequence: bcs.u64(),
  transactions: bcs.u64(),
  contents: digest,
  previous: bcs.option(digest),
  gas: bcs.fixedArray(4, bcs.u64()),
  timestampMs: bcs.u64(),
  commitments: bcs.vector(bcs.u8()),
  endOfEpoch: bcs.option(bcs.u8()),
  versionSpecific: bcs.vector(bcs.u8()),
});

const hash = (name: string, bytes: Uint8Array) =>
  blake2b(Buffer.concat([Buffer.from(`${name}::`), bytes]), { dkLen: 32 });

interface Executed {
  readonly transaction: Uint8Array;
  readonly effects: Uint8Array;
  readonly signatures: readonly Uint8Array[];
}

/** The checkpoint with a transaction, and another one before it. */
export function checkpointMessage(sequence: bigint, { transaction, effects, signatures }: Executed) {
  const other = { transaction: new Uint8Array(32).fill(1), effects: new Uint8Array(32).fill(2), signatures: [] };
  const own = {
    transaction: hash("TransactionData", transaction),
    effects: hash("TransactionEffects", effects),
    signatures: signatures.map((signature) => [signature, null] as const),
  };
  const contents = Contents.serialize({ V2: [other, own] } as never).toBytes();
  const summary = Summary.serialize({
    epoch: EPOCH,
    sequence,
    transactions: sequence * 2n,
    contents: hash("CheckpointContents", contents),
    previous: new Uint8Array(32).fill(3),
    gas: [1, 2, 3, 4],
    timestampMs: 1_700_000_000_000n,
    commitments: [],
    endOfEpoch: null,
    versionSpecific: [0, 0],
  }).toBytes();
  const message = bls.hash(
    Buffer.concat([Uint8Array.of(2, 0, 0), summary, bcs.u64().serialize(EPOCH).toBytes()]),
    DOMAIN,
  );
  const signed = SIGNERS.map((i) => bls.sign(message, (validators[i] as (typeof validators)[number]).secretKey));
  return {
    sequenceNumber: sequence,
    digest: toBase58(hash("CheckpointSummary", summary)),
    summary: { bcs: { value: summary }, commitments: [] },
    contents: { bcs: { value: contents }, transactions: [] },
    signature: {
      epoch: EPOCH,
      signature: Uint8Array.from(bls.aggregateSignatures(signed).toBytes()),
      bitmap: roaring(SIGNERS),
    },
    transactions: [],
  };
}

/** A RoaringBitmap of numbers below 65,536, as its portable format has it. */
function roaring(numbers: readonly number[]): Uint8Array {
  const bytes = Buffer.alloc(16 + 2 * numbers.length);
  bytes.writeUInt32LE(12_346, 0);
  bytes.writeUInt32LE(1, 4);
  bytes.writeUInt16LE(numbers.length - 1, 10);
  bytes.writeUInt32LE(16, 12);
  for (const [i, number] of numbers.entries()) bytes.writeUInt16LE(number, 16 + 2 * i);
  return Uint8Array.from(bytes);
}
