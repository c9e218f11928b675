// A refused transaction does not execute; the sender gets an error with the words of a full node
// (sui-types/src/error.rs). A failed one executes and is recorded, but changes only the versions of its objects.
import type { bcs } from "@mysten/sui/bcs";
import { SuiClientError } from "@mysten/sui/client";
import { ABORTS, type AbortName, MODULE } from "#adapters/ledger/gate-module.ts";
import { DeadlineExceeded } from "#async/with-deadline.ts";

export type Effects = Extract<typeof bcs.TransactionEffects.$inferInput, { V2: unknown }>["V2"];
type Failure = Extract<Effects["status"], { Failure: unknown }>["Failure"];
export type FailureStatus = Failure["error"];

export class ExecutionFailure extends Error {
  override readonly name = "ExecutionFailure";
  readonly status: FailureStatus;
  readonly command: number;

  constructor(status: FailureStatus, command: number) {
    super("the transaction fails");
    this.status = status;
    this.command = command;
  }
}

/** An `assert!` of the module does not hold, or a transaction reads more dynamic fields than Sui allows. */
export class CallFailure extends Error {
  override readonly name = "CallFailure";
  readonly reason: AbortName | "TooManyFields";

  constructor(reason: CallFailure["reason"]) {
    super(reason);
    this.reason = reason;
  }
}

export function callFailureStatus({ reason }: CallFailure, packageId: string, functionName: string): FailureStatus {
  if (reason === "TooManyFields") return { MovePrimitiveRuntimeError: null };
  // The indices of the function and the instruction belong to the bytecode, which does not run here.
  const location = { module: { address: packageId, name: MODULE }, function: 0, instruction: 0, functionName };
  return { MoveAbort: [location, BigInt(ABORTS.indexOf(reason))] };
}

type Code = "INVALID_ARGUMENT" | "ABORTED" | "UNIMPLEMENTED" | "UNAVAILABLE" | "CANCELLED" | "DEADLINE_EXCEEDED";

/** Has the shape of the SDK's error for a gRPC status. The SDK's own class would load all of gRPC. */
class StatusError extends SuiClientError {
  override readonly name = "RpcError";
  readonly code: Code;

  constructor(message: string, code: Code, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

export const refusal = (message: string, code: Code = "INVALID_ARGUMENT", cause?: unknown): Error =>
  new StatusError(message, code, cause);

export function cancellation({ reason }: AbortSignal): Error {
  const isTimeout = reason instanceof DeadlineExceeded || (reason instanceof Error && reason.name === "TimeoutError");
  const message = reason instanceof Error ? reason.message : String(reason);
  return refusal(message, isTimeout ? "DEADLINE_EXCEEDED" : "CANCELLED");
}
