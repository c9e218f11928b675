// The two ways in which a transaction does not succeed. Either it is refused: nothing executes, and the sender gets an
// error, worded as a full node words it (sui-types/src/error.rs). Or it executes and fails: that is on record, and only
// the versions of its objects have changed.
import type { bcs } from "@mysten/sui/bcs";
import { SuiClientError } from "@mysten/sui/client";
import { ABORTS, type AbortName, MODULE } from "#adapters/ledger/gate-module.ts";

type Effects = Extract<typeof bcs.TransactionEffects.$inferInput, { V2: unknown }>["V2"];
type Failure = Extract<Effects["status"], { Failure: unknown }>["Failure"];
/** Sui's name and data for what went wrong. */
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

/** An `assert!` of the module that does not hold. Which command it was, whoever runs the commands knows. */
export class MoveAbort extends Error {
  override readonly name = "MoveAbort";
  readonly abort: AbortName;

  constructor(abort: AbortName) {
    super(abort);
    this.abort = abort;
  }
}

/** More dynamic fields in one transaction than Sui keeps in memory (`object_runtime_max_num_cached_objects`). */
export class TooManyFields extends Error {
  override readonly name = "TooManyFields";
}

export function abortStatus(packageId: string, functionName: string, { abort }: MoveAbort): FailureStatus {
  // The numbers of the function and the instruction are those of the bytecode, which is not run here.
  const location = { module: { address: packageId, name: MODULE }, function: 0, instruction: 0, functionName };
  return { MoveAbort: [location, BigInt(ABORTS.indexOf(abort))] };
}

type Code = "INVALID_ARGUMENT" | "ABORTED" | "UNIMPLEMENTED" | "UNAVAILABLE" | "CANCELLED" | "DEADLINE_EXCEEDED";

/** Looks like the error that the SDK throws for a gRPC status. The SDK's own class would bring all of gRPC with it. */
class StatusError extends SuiClientError {
  override readonly name = "RpcError";
  readonly code: Code;

  constructor(message: string, code: Code, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

/** What is thrown when a full node refuses. */
export function refusal(message: string, code: Code = "INVALID_ARGUMENT", cause?: unknown): Error {
  return new StatusError(message, code, cause);
}

/** What is thrown when the caller does not want to wait any longer. */
export function cancellation({ reason }: AbortSignal): Error {
  const isLate = reason instanceof Error && reason.name === "TimeoutError";
  return new StatusError(
    reason instanceof Error ? reason.message : String(reason),
    isLate ? "DEADLINE_EXCEEDED" : "CANCELLED",
  );
}
