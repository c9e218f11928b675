// A transaction of Move calls, as a message of sui.rpc.v2.
import type { SuiClientTypes } from "@mysten/sui/client";
import { GrpcTypes } from "@mysten/sui/grpc";

const {
  Input_InputKind: Kind,
  Argument_ArgumentKind: From,
  TransactionExpiration_TransactionExpirationKind: Until,
} = GrpcTypes;
const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, "base64"));

export function transactionData({ sender, gasData, inputs, commands }: SuiClientTypes.TransactionData) {
  const programmableTransaction = { inputs: inputs.map(input), commands: commands.map(command) };
  return {
    sender: sender ?? "",
    expiration: { kind: Until.NONE },
    gasPayment: {
      owner: gasData.owner ?? "",
      price: BigInt(gasData.price ?? 0),
      budget: BigInt(gasData.budget ?? 0),
      objects: (gasData.payment ?? []).map(({ objectId, version, digest }) => ({
        objectId,
        version: BigInt(version),
        digest,
      })),
    },
    kind: { data: { oneofKind: "programmableTransaction", programmableTransaction } as const },
  };
}

type Input = SuiClientTypes.TransactionData["inputs"][number];

function input(arg: Input) {
  if ("Pure" in arg) return { kind: Kind.PURE, pure: bytes(arg.Pure.bytes) };
  const object = "Object" in arg ? arg.Object : undefined;
  if (object && "ImmOrOwnedObject" in object) {
    const { objectId, version, digest } = object.ImmOrOwnedObject;
    return { kind: Kind.IMMUTABLE_OR_OWNED, objectId, version: BigInt(version), digest };
  }
  if (!object || !("SharedObject" in object)) throw new Error("the stand-in does not support this input");
  const { objectId, initialSharedVersion, mutable } = object.SharedObject;
  return { kind: Kind.SHARED, objectId, version: BigInt(initialSharedVersion), mutable };
}

function command(data: SuiClientTypes.TransactionData["commands"][number]) {
  if (!("MoveCall" in data)) throw new Error("the stand-in does not support this command");
  const { package: address, module, function: name, typeArguments, arguments: args } = data.MoveCall;
  const inputs = args.map((argument) => ({ kind: From.INPUT, input: "Input" in argument ? argument.Input : 0 }));
  const moveCall = { package: address, module, function: name, typeArguments, arguments: inputs };
  return { command: { oneofKind: "moveCall", moveCall } as const };
}
