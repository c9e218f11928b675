// Reads the commands of a transaction as calls of the module. Sui checks the types of all commands before it runs the
// first. So a transaction with one bad argument fails there, whatever the commands before it would do.
import { MODULE } from "#adapters/ledger/gate-module.ts";
import type { Kind, Kinds } from "#adapters/ledger/local/chain/object-kinds.ts";
import type { StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import { ExecutionFailure, type FailureStatus, refusal } from "./failure.ts";
import type { Input } from "./input-objects.ts";
import { bool, bytes, type PureReader, text, texts } from "./pure-arguments.ts";
import type { Command } from "./transaction.ts";

export type Call =
  | {
      readonly function: "set_access";
      readonly gate: StoredObject;
      readonly cap: StoredObject;
      readonly agent: string;
      readonly namespace: string;
      readonly allowed: boolean;
    }
  | {
      readonly function: "anchor_receipt";
      readonly gate: StoredObject;
      readonly cap: StoredObject;
      readonly agent: string;
      readonly blobId: string;
      readonly digest: Uint8Array;
      readonly claimed: readonly string[];
      readonly issued: boolean;
    };

/** The module's views. On Sui they can be called. They change nothing, so the local ledger does not support them. */
const VIEWS = new Set([
  ...["is_allowed", "version", "receipt_address"],
  ...["gate", "agent", "blob_id", "digest", "claimed", "all_authorized", "issued", "policy_version", "anchored_at_ms"],
]);

/** The number of arguments of each function. */
const ARITY = new Map([
  ["set_access", 5],
  ["anchor_receipt", 8],
]);

export function readCalls(
  commands: readonly Command[],
  inputs: readonly Input[],
  packageId: string,
  kinds: Kinds,
): Call[] {
  for (const { $kind, MoveCall } of commands) {
    if (MoveCall === undefined) {
      throw refusal(`the local ledger has no ${$kind}: it only calls ${MODULE}`, "UNIMPLEMENTED");
    }
    if (MoveCall.package !== packageId) {
      throw refusal(`Dependent package not found on-chain: ${MoveCall.package}`, "ABORTED");
    }
    if (MoveCall.module === MODULE && VIEWS.has(MoveCall.function)) {
      throw refusal(`the local ledger does not call the view ${MODULE}::${MoveCall.function}`, "UNIMPLEMENTED");
    }
  }
  return commands.map((command, index) => readCall(command, index, inputs, kinds));
}

function readCall({ MoveCall }: Command, command: number, inputs: readonly Input[], kinds: Kinds): Call {
  const fail = (status: FailureStatus) => new ExecutionFailure(status, command);
  if (MoveCall === undefined || MoveCall.module !== MODULE) throw fail({ FunctionNotFound: true });
  const { function: name, arguments: args, typeArguments } = MoveCall;
  const arity = ARITY.get(name);
  if (arity === undefined) throw fail({ FunctionNotFound: true });
  if (typeArguments.length > 0) throw fail({ TypeArityMismatch: true });
  if (args.length !== arity) throw fail({ ArityMismatch: true });

  const { object, pure } = argumentReader(args, inputs, command);
  const gate = object(0, kinds.gate, true);
  if (name === "set_access") {
    const cap = object(1, kinds.policyCap);
    return { function: name, gate, cap, agent: pure(2, text), namespace: pure(3, text), allowed: pure(4, bool) };
  }
  const call = {
    function: "anchor_receipt",
    gate,
    cap: object(1, kinds.anchorCap),
    agent: pure(2, text),
    blobId: pure(3, text),
    digest: pure(4, bytes),
    claimed: pure(5, texts),
    issued: pure(6, bool),
  } as const;
  object(7, kinds.clock);
  return call;
}

type Argument = NonNullable<Command["MoveCall"]>["arguments"][number];
type ArgumentFault = Extract<FailureStatus, { CommandArgumentError: unknown }>["CommandArgumentError"]["kind"];

function argumentReader(args: readonly Argument[], inputs: readonly Input[], command: number) {
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
    pure<T>(index: number, read: PureReader<T>): T {
      const found = input(index);
      if (found.kind === "object") throw fail(index, { TypeMismatch: true });
      const value = read(found.bytes);
      if (value === undefined) throw fail(index, { InvalidBCSBytes: true });
      return value;
    },
  };
}
