// Reads the bytes of a transaction, and checks its signatures and Sui's limits (sui-protocol-config). As on Sui, this
// comes before any object is looked up.
import { createPublicKey, verify } from "node:crypto";
import { BcsType, bcs } from "@mysten/sui/bcs";
import { ED25519, ed25519Parts } from "#adapters/ledger/sui-keys.ts";
import { orUndefined } from "#core/defined.ts";
import { blake2b256, digestHex } from "#core/encoding/digest.ts";
import { refusal } from "./failure.ts";
import { typedDigest } from "./objects.ts";

type Data = NonNullable<(typeof bcs.TransactionData.$inferType)["V1"]>;
type Programmable = NonNullable<Data["kind"]["ProgrammableTransaction"]>;
export type CallArg = Programmable["inputs"][number];
export type Command = Programmable["commands"][number];
export type Argument = NonNullable<Command["MoveCall"]>["arguments"][number];

export type ReadTransaction = ReturnType<typeof readTransaction>;

export const SUI_LIMITS = {
  max_tx_size_bytes: 128 * 1024,
  max_programmable_tx_commands: 1024,
  max_pure_argument_size: 16 * 1024,
  max_input_objects: 2048,
  max_gas_payment_objects: 256,
  object_runtime_max_num_cached_objects: 1000,
} as const;

export function readTransaction(bytes: Uint8Array) {
  const { kind, sender, gasData, expiration } = parse(bytes);
  if (kind.ProgrammableTransaction === undefined) {
    throw refusal("SenderSignedData must not contain system transaction");
  }
  const { owner: gasOwner, payment } = gasData;
  const budget = BigInt(gasData.budget);
  const digest = transactionDigest(bytes);
  return { digest, bytes, sender, gasOwner, payment, budget, expiration, ...kind.ProgrammableTransaction };
}

export const transactionDigest = (bytes: Uint8Array): string => typedDigest("TransactionData", bytes);

/** The limit on the size includes the signatures. */
export function refuseTooLarge(transaction: ReadTransaction, signatures: readonly string[]): void {
  const { bytes, inputs, commands, payment } = transaction;
  // The envelope adds an intent of three bytes, and the lengths of two lists and of each signature.
  const size = signatures.reduce((sum, text) => sum + 2 + Buffer.byteLength(text, "base64"), bytes.length + 5);
  if (size > SUI_LIMITS.max_tx_size_bytes) {
    throw tooLarge(`serialized transaction size exceeded maximum of ${SUI_LIMITS.max_tx_size_bytes}`, size);
  }
  if (commands.length >= SUI_LIMITS.max_programmable_tx_commands) {
    throw tooLarge("maximum commands in a programmable transaction", SUI_LIMITS.max_programmable_tx_commands);
  }
  // The package and the coins that pay count as inputs.
  const objects = inputs.filter((input) => input.Object !== undefined).length + payment.length;
  if (objects + 1 > SUI_LIMITS.max_input_objects) {
    throw tooLarge("maximum input + receiving objects in a transaction", SUI_LIMITS.max_input_objects);
  }
  for (const { Pure } of inputs) {
    if (Pure !== undefined && Buffer.byteLength(Pure.bytes, "base64") >= SUI_LIMITS.max_pure_argument_size) {
      throw tooLarge("maximum pure argument size", SUI_LIMITS.max_pure_argument_size);
    }
  }
}

/** The local ledger is always in epoch 0. `chainId` is the chain that a transaction may name. */
export function refuseExpired({ expiration }: ReadTransaction, chainId: string): void {
  const range = expiration.ValidDuring ?? expiration.Validity;
  if (range === undefined) return;
  if (range.chain !== chainId) throw refusal(`Invalid chain ID: ${range.chain}, this is ${chainId}`);
  if (BigInt(range.minEpoch ?? 0) > 0n) throw refusal("Transaction is not valid yet");
}

const tooLarge = (limit: string, value: number) => refusal(`Size limit exceeded: ${limit} is ${value}`);

function parse(bytes: Uint8Array): Data {
  try {
    return ExactTransactionData.parse(bytes).V1;
  } catch (cause) {
    throw refusal("invalid transaction: the bytes are not the BCS of a TransactionData", "INVALID_ARGUMENT", cause);
  }
}

/** Refuses bytes after the end, as Sui does. The SDK ignores them. */
const ExactTransactionData = new BcsType<typeof bcs.TransactionData.$inferType, typeof bcs.TransactionData.$inferInput>(
  {
    name: "TransactionData",
    read(reader) {
      const data = bcs.TransactionData.read(reader);
      if (orUndefined(() => reader.read8()) !== undefined) throw new RangeError("bytes after the end");
      return data;
    },
    write: () => {
      throw new Error("only for reading");
    },
  },
);

/** Requires the sender's signature, and the sponsor's when the gas has another owner, and no others. */
export function refuseWrongSignatures(
  { bytes, sender, gasOwner }: ReadTransaction,
  signatures: readonly string[],
): void {
  const required = new Set([sender, gasOwner]);
  if (signatures.length !== required.size) {
    throw refusal(`Invalid user signature: Expect ${required.size} signer signatures but got ${signatures.length}`);
  }
  for (const signature of signatures) {
    const signer = signerOf(bytes, signature);
    if (signer === undefined) throw refusal("Invalid user signature: it does not belong to these bytes");
    if (!required.delete(signer)) {
      throw refusal(`Invalid user signature: ${signer} signed, and is neither the sender nor the sponsor`);
    }
  }
}

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
/** A transaction of version 0 for Sui. */
const INTENT = Uint8Array.of(0, 0, 0);

/**
 * The address that signed; undefined for a wrong signature, and for a scheme other than Ed25519, which no owner here
 * has. A replay checks one for each transaction, and Node takes a tenth of the SDK's time.
 */
function signerOf(bytes: Uint8Array, signature: string): string | undefined {
  const parts = ed25519Parts(signature);
  if (parts === undefined) return undefined;
  const { publicKey } = parts;
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: "der", type: "spki" });
  const message = blake2b256(Buffer.concat([INTENT, bytes]));
  if (!verify(null, message, key, parts.signature)) return undefined;
  return `0x${digestHex(Buffer.concat([Uint8Array.of(ED25519), publicKey]))}`;
}
