// Executes a transaction on the current objects. Pure: returns the changes, and the caller applies them.
import { fromBase58 } from "@mysten/sui/utils";
import * as move from "#adapters/ledger/gate-module.ts";
import { type BcsReader, decoded } from "#core/encoding/bcs.ts";
import { CallFailure, callFailureStatus, ExecutionFailure, type FailureStatus, refusal } from "./failure.ts";
import { check, type GateEvent, RULES } from "./gate-rules.ts";
import type { Genesis } from "./genesis.ts";
import { type Input, type ObjectInput, resolveInputs, resolvePayment } from "./inputs.ts";
import type { Kind, Kinds } from "./object-kinds.ts";
import type { Change, State, StoredObject } from "./objects.ts";
import { createPendingGates, type PendingGates, type Write } from "./pending-gates.ts";
import type { Argument, Command, ReadTransaction } from "./transaction.ts";

export interface Execution {
  readonly packageId: string;
  readonly failure?: ExecutionFailure;
  readonly version: bigint;
  /** Sorted by object id, as in Sui's effects. */
  readonly changes: readonly Change[];
  readonly reads: readonly StoredObject[];
  /** The transactions that wrote the input objects, in the order of their bytes. */
  readonly dependencies: readonly string[];
  readonly gasCoinId?: string;
  readonly events: readonly GateEvent[];
}

interface Context {
  readonly state: State;
  readonly clock: StoredObject;
  readonly timestampMs: number;
  readonly isSimulated?: boolean;
}

/** Throws when the transaction is refused. Returns normally when it fails. */
export function execute(transaction: ReadTransaction, genesis: Genesis, context: Context): Execution {
  const inputs = resolveInputs(transaction, context.state, context.clock);
  const isFree = genesis.gasCoinId === undefined || (context.isSimulated && transaction.payment.length === 0);
  const payment = isFree ? [] : resolvePayment(transaction, inputs, context.state);
  const objects = [...inputs.filter((input) => input.kind === "object"), ...payment];
  const version = objects.reduce((max, { object }) => (object.version > max ? object.version : max), 0n) + 1n;
  const common = {
    packageId: genesis.packageId,
    version,
    reads: objects.flatMap(({ object, isMutable }) => (object.owner.$kind === "Shared" && !isMutable ? [object] : [])),
    dependencies: sortedDigests(objects.map(({ object }) => object.previousTransaction)),
    ...(payment[0] && { gasCoinId: payment[0].object.objectId }),
  };
  const write = { digest: transaction.digest, version };
  try {
    const pending = createPendingGates(context.state, write, genesis.kinds);
    const calls = readCalls(transaction.commands, inputs, genesis, { pending, atMs: context.timestampMs });
    const events = runCalls(calls, genesis);
    const bumped = bumpVersions(objects, write, pending.contentOf);
    return { ...common, changes: sorted([...bumped, ...pending.changes()]), events };
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    return { ...common, failure: error, changes: sorted(bumpVersions(objects, write)), events: [] };
  }
}

function runCalls(calls: readonly ReadCall[], { packageId }: Genesis): GateEvent[] {
  return calls.flatMap(({ function: name, run }, command) => {
    try {
      return run() ?? [];
    } catch (error) {
      if (!(error instanceof CallFailure)) throw error;
      throw new ExecutionFailure(callFailureStatus(error, packageId, name), command);
    }
  });
}

/** Every mutable input gets the new version, also when it has not changed or the transaction has failed. */
function bumpVersions(
  objects: readonly ObjectInput[],
  { digest, version }: Write,
  contentOf = ({ content }: StoredObject) => content,
) {
  return objects
    .filter(({ isMutable }) => isMutable)
    .map(({ object: before }) => {
      const after = { ...before, content: contentOf(before), version, previousTransaction: digest };
      return { before, after };
    });
}

const sorted = (changes: Change[]) => changes.sort((a, b) => (a.after.objectId < b.after.objectId ? -1 : 1));

/** Without duplicates. Sui compares the bytes of digests, and base58 has another order. */
function sortedDigests(digests: readonly string[]): string[] {
  const bytes = [...new Set(digests)].map((digest) => ({ digest, bytes: fromBase58(digest) }));
  return bytes.sort((a, b) => Buffer.compare(a.bytes, b.bytes)).map(({ digest }) => digest);
}

// Reads the commands of a transaction as calls of the module `gate`. Sui checks the types of all commands before it runs
// the first. So a transaction with one bad argument fails there, whatever the commands before it would do.

interface Session {
  readonly pending: PendingGates;
  readonly atMs: number;
}

type RunCall = () => GateEvent | undefined;

/** On Sui they can be called. They change nothing, so the local ledger does not support them. */
const VIEWS = new Set([
  ...["was_allowed", "version", "is_closed", "closed_at_ms", "superseded_at_ms", "keys", "receipt_address"],
  ...["has_pseudonyms", "root", "gate_address", "anchored_size", "last_checkpoint", "checkpoint_id"],
  ...["checkpoint_gate", "checkpoint_origin", "checkpoint_size", "checkpoint_root", "checkpoint_anchored_at_ms"],
  ...["gate", "agent", "blob_id", "digest", "claimed", "all_authorized", "policy_version", "receipt_closed_at_ms"],
  ...["receipt_superseded_at_ms", "anchored_at_ms"],
]);

interface ReadCall {
  readonly function: string;
  readonly run: RunCall;
}

function readCalls(
  commands: readonly Command[],
  inputs: readonly Input[],
  { packageId, kinds }: { readonly packageId: string; readonly kinds: Kinds },
  session: Session,
): ReadCall[] {
  for (const { $kind, MoveCall } of commands) {
    if (MoveCall === undefined) {
      throw refusal(`the local ledger has no ${$kind}: it only calls ${move.MODULE}`, "UNIMPLEMENTED");
    }
    if (MoveCall.package !== packageId) {
      throw refusal(`Dependent package not found on-chain: ${MoveCall.package}`, "ABORTED");
    }
    if (MoveCall.module === move.MODULE && VIEWS.has(MoveCall.function)) {
      throw refusal(`the local ledger does not call the view ${move.MODULE}::${MoveCall.function}`, "UNIMPLEMENTED");
    }
  }
  return commands.map((command, index) => readCall(command, index, inputs, kinds, session));
}

function readCall(
  { MoveCall }: Command,
  command: number,
  inputs: readonly Input[],
  kinds: Kinds,
  session: Session,
): ReadCall {
  const fail = (status: FailureStatus) => new ExecutionFailure(status, command);
  if (MoveCall === undefined || MoveCall.module !== move.MODULE) throw fail({ FunctionNotFound: true });
  const { function: name, arguments: args, typeArguments } = MoveCall;
  const wanted = move.PARAMETERS.get(name);
  if (wanted === undefined) throw fail({ FunctionNotFound: true });
  if (typeArguments.length > 0) throw fail({ TypeArityMismatch: true });
  if (args.length !== wanted.length) throw fail({ ArityMismatch: true });
  const reader = argumentReader(args, inputs, command);
  return { function: name, run: readArguments(name as move.FunctionName, wanted, reader, kinds, session) };
}

type ArgumentFault = Extract<FailureStatus, { CommandArgumentError: unknown }>["CommandArgumentError"]["kind"];

type CallArguments = ReturnType<typeof argumentReader>;

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
    /** As strict as Sui. The SDK ignores bytes after the end, and takes lengths in a longer form than necessary. */
    pure<T>(index: number, read: (reader: BcsReader) => T): T {
      const found = input(index);
      if (found.kind === "object") throw fail(index, { TypeMismatch: true });
      const value = decoded(found.bytes, read);
      if (value === undefined) throw fail(index, { InvalidBCSBytes: true });
      return value;
    },
  };
}

const READERS: Readonly<Record<move.PureType, (reader: BcsReader) => unknown>> = {
  bytes: (reader) => reader.bytes(),
  string: (reader) => reader.string(),
  bool: (reader) => reader.bool(),
  u64: (reader) => reader.u64(),
  strings: (reader) => reader.vector(() => reader.string()),
};

function readArguments(
  name: move.FunctionName,
  wanted: readonly (readonly [string, move.PureType | move.ObjectType])[],
  { object, pure }: CallArguments,
  kinds: Kinds,
  { pending, atMs }: Session,
): RunCall {
  const objects: StoredObject[] = [];
  const values: Record<string, unknown> = {};
  for (const [index, [parameter, type]] of wanted.entries()) {
    if (move.isPure(type)) values[parameter] = pure(index, READERS[type]);
    else objects.push(object(index, kinds[type], type === "gate"));
  }
  const [gate, cap] = objects as [StoredObject, StoredObject];
  return () => {
    const opened = pending.gate(gate);
    const of = move.Cap.parse(cap.content).gate;
    check(of === opened.id || (name !== "new_gate" && of === pending.rootOf(opened)), "EWrongGate");
    return RULES[name](values as never, opened, pending, atMs);
  };
}
