// The execution status of a transaction, as a message of sui.rpc.v2.
import type { SuiClientTypes } from "@mysten/sui/client";
import { GrpcTypes } from "@mysten/sui/grpc";

export function executionStatus({ success, error }: SuiClientTypes.ExecutionStatus) {
  if (error === null) return { success };
  const command = error.command === undefined ? {} : { command: BigInt(error.command) };
  return { success, error: { description: error.message, ...command, errorDetails: details(error) } };
}

function details(error: SuiClientTypes.ExecutionError) {
  if (error.$kind === "MoveAbort") {
    const { abortCode, location = {} } = error.MoveAbort;
    return { oneofKind: "abort", abort: { abortCode: BigInt(abortCode), location } } as const;
  }
  if (error.$kind === "CommandArgumentError") {
    const { argument, name } = error.CommandArgumentError;
    return { oneofKind: "commandArgumentError", commandArgumentError: { argument, kind: kindOf(name) } } as const;
  }
  return { oneofKind: undefined } as const;
}

/** `TypeMismatch` becomes `TYPE_MISMATCH`. The SDK turns it back, but makes `InvalidBcsBytes` of `InvalidBCSBytes`. */
function kindOf(name: string): number {
  const Kind = GrpcTypes.CommandArgumentError_CommandArgumentErrorKind;
  const constant = name
    .replace("BCS", "Bcs")
    .replace(/(?<=[a-z])(?=[A-Z])/g, "_")
    .toUpperCase();
  return Number(Object.entries(Kind).find(([key]) => key === constant)?.[1] ?? 0);
}
