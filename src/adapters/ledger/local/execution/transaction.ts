// Reads the bytes of a transaction and checks Sui's limits (sui-protocol-config). As on Sui, a transaction beyond them
// is refused before any object is looked up.
import { BcsType, bcs } from "@mysten/sui/bcs";
import { typedDigest } from "#adapters/ledger/local/chain/objects.ts";
import { refusal } from "./failure.ts";

type Data = NonNullable<(typeof bcs.TransactionData.$inferType)["V1"]>;
type Programmable = NonNullable<Data["kind"]["ProgrammableTransaction"]>;
export type CallArg = Programmable["inputs"][number];
export type Command = Programmable["commands"][number];
export type Argument = NonNullable<Command["MoveCall"]>["arguments"][number];

export interface ReadTransaction {
  readonly digest: string;
  readonly bytes: Uint8Array;
  readonly sender: string;
  readonly gasOwner: string;
  /** The coins that pay. */
  readonly payment: Data["gasData"]["payment"];
  readonly budget: bigint;
  readonly expiration: Data["expiration"];
  readonly inputs: readonly CallArg[];
  readonly commands: readonly Command[];
}

export const SUI_LIMITS = {
  max_tx_size_bytes: 128 * 1024,
  max_programmable_tx_commands: 1024,
  max_pure_argument_size: 16 * 1024,
  max_input_objects: 2048,
  max_gas_payment_objects: 256,
  // Not checked: a call of the module emits one event at most, and there are fewer commands than this.
  max_num_event_emit: 1024,
  object_runtime_max_num_cached_objects: 1000,
} as const;

export function readTransaction(bytes: Uint8Array): ReadTransaction {
  const { kind, sender, gasData, expiration } = parse(bytes);
  if (kind.ProgrammableTransaction === undefined) {
    throw refusal("SenderSignedData must not contain system transaction");
  }
  const digest = transactionDigest(bytes);
  const { owner: gasOwner, payment, budget } = gasData;
  return {
    digest,
    bytes,
    sender,
    gasOwner,
    payment,
    budget: BigInt(budget),
    expiration,
    ...kind.ProgrammableTransaction,
  };
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
      if (!isAtEnd(reader)) throw new RangeError("bytes after the end");
      return data;
    },
    write: () => {
      throw new Error("only for reading");
    },
  },
);

function isAtEnd(reader: { read8(): number }): boolean {
  try {
    reader.read8();
    return false;
  } catch {
    return true;
  }
}
