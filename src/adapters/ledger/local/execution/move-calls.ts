// Reads the commands of a transaction as calls of a module. Sui checks the types of all commands before it runs the
// first. So a transaction with one bad argument fails there, whatever the commands before it would do.
import { MODULE } from "#adapters/ledger/gate-module.ts";
import type { Kind } from "#adapters/ledger/local/chain/object-kinds.ts";
import type { StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import { type BcsReader, bcsReader } from "#core/encoding/bcs.ts";
import type { CallArguments, ExecutableModule, ModuleSession, RunCall } from "./executable-module.ts";
import { ExecutionFailure, type FailureStatus, refusal } from "./failure.ts";
import type { Input } from "./input-objects.ts";
import type { Argument, Command } from "./transaction.ts";

export interface ReadCall {
  readonly function: string;
  readonly run: RunCall;
}

export function readCalls(
  commands: readonly Command[],
  inputs: readonly Input[],
  { packageId, module }: { readonly packageId: string; readonly module: ExecutableModule },
  session: ModuleSession,
): ReadCall[] {
  for (const { $kind, MoveCall } of commands) {
    if (MoveCall === undefined) {
      throw refusal(`the local ledger has no ${$kind}: it only calls ${MODULE}`, "UNIMPLEMENTED");
    }
    if (MoveCall.package !== packageId) {
      throw refusal(`Dependent package not found on-chain: ${MoveCall.package}`, "ABORTED");
    }
    if (MoveCall.module === MODULE && module.views.has(MoveCall.function)) {
      throw refusal(`the local ledger does not call the view ${MODULE}::${MoveCall.function}`, "UNIMPLEMENTED");
    }
  }
  return commands.map((command, index) => readCall(command, index, inputs, module, session));
}

function readCall(
  { MoveCall }: Command,
  command: number,
  inputs: readonly Input[],
  { parameters }: ExecutableModule,
  session: ModuleSession,
): ReadCall {
  const fail = (status: FailureStatus) => new ExecutionFailure(status, command);
  if (MoveCall === undefined || MoveCall.module !== MODULE) throw fail({ FunctionNotFound: true });
  const { function: name, arguments: args, typeArguments } = MoveCall;
  const wanted = parameters.get(name);
  if (wanted === undefined) throw fail({ FunctionNotFound: true });
  if (typeArguments.length > 0) throw fail({ TypeArityMismatch: true });
  if (args.length !== wanted.length) throw fail({ ArityMismatch: true });
  return { function: name, run: session.read(name, argumentReader(args, inputs, command)) };
}

type ArgumentFault = Extract<FailureStatus, { CommandArgumentError: unknown }>["CommandArgumentError"]["kind"];

function argumentReader(args: readonly Argument[], inputs: readonly Input[], command: number): CallArguments {
  const fail = (argIdx: number, kind: ArgumentFault) =>
    new ExecutionFailure({ CommandArgumentError: { argIdx, kind } }, command);

  function input(index: number): Input {
    const argument = args[index];
    // The functions return nothing, and there is no gas coin.
    if (argument?.$kind === "NestedResult" || argument?.$kind === "Result") {
      const [resultIdx] = argument.NestedResult ?? [argument.Result];
      throw fail(index, { InvalidResultArity: { resultIdx } });
    }
    if (argument?.$kind !== "Input") throw fail(index, { TypeMismatch: true });
    const found = inputs[argument.Input];
    if (found === undefined) throw fail(index, { IndexOutOfBounds: { idx: argument.Input } });
    return found;
  }

  return {
    object(index: number, kind: Kind, isMutable = false): StoredObject {
      const found = input(index);
      if (found.kind === "pure") throw fail(index, { InvalidUsageOfPureArg: true });
      if (found.object.kind !== kind) throw fail(index, { TypeMismatch: true });
      if (isMutable && !found.isMutable) throw fail(index, { InvalidObjectByMutRef: true });
      return found.object;
    },
    /** As strict as Sui. The SDK ignores bytes after the end, and takes lengths in a longer form than necessary. */
    pure<T>(index: number, read: (reader: BcsReader) => T): T {
      const found = input(index);
      if (found.kind === "object") throw fail(index, { TypeMismatch: true });
      try {
        const reader = bcsReader(found.bytes);
        const value = read(reader);
        reader.end();
        return value;
      } catch {
        throw fail(index, { InvalidBCSBytes: true });
      }
    },
  };
}
