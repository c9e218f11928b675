// Executes a transaction against the objects as they are. Changes nothing: what it answers with is yet to be applied.

import type { Genesis } from "#adapters/ledger/local/chain/genesis.ts";
import type { StoredObject } from "#adapters/ledger/local/chain/objects.ts";
import type { Change, State } from "#adapters/ledger/local/chain/state.ts";
import { type Call, readCalls } from "./calls.ts";
import { createDraft } from "./draft.ts";
import { abortStatus, ExecutionFailure, MoveAbort, TooManyFields } from "./failure.ts";
import { type Input, resolveInputs } from "./inputs.ts";
import { type GateEvent, runCall } from "./rules.ts";
import type { ReadTransaction } from "./transaction.ts";

export interface Execution {
  /** Absent when every command succeeded. */
  readonly failure?: ExecutionFailure;
  /** What everything that was written has as its version. */
  readonly version: bigint;
  /** In the order of the ids, as in Sui's effects. */
  readonly changes: readonly Change[];
  /** Shared objects that were only read. */
  readonly reads: readonly StoredObject[];
  /** The transactions that wrote the objects that came in. */
  readonly dependencies: readonly string[];
  readonly events: readonly GateEvent[];
}

export interface Moment {
  readonly state: State;
  readonly clock: StoredObject;
  readonly timestampMs: number;
}

type Objects = readonly Extract<Input, { kind: "object" }>[];

/** Throws when the transaction is refused. One that fails is an execution like any other. */
export function execute(transaction: ReadTransaction, genesis: Genesis, moment: Moment): Execution {
  const inputs = resolveInputs(transaction, moment.state, moment.clock);
  const objects = inputs.filter((input) => input.kind === "object");
  const version = objects.reduce((max, { object }) => (object.version > max ? object.version : max), 0n) + 1n;
  const common = {
    version,
    reads: objects.flatMap(({ object, isMutable }) => (object.owner.$kind === "Shared" && !isMutable ? [object] : [])),
    dependencies: [...new Set(objects.map(({ object }) => object.previousTransaction))].sort(),
  };
  const write = { digest: transaction.digest, version };
  try {
    const calls = readCalls(transaction.commands, inputs, genesis.packageId, genesis.kinds);
    const draft = createDraft(moment.state, genesis.kinds, write);
    const events = runCalls(calls, draft, genesis, moment.timestampMs);
    const bumped = bump(objects, write, draft.contentOf);
    return { ...common, changes: sorted([...bumped, ...draft.changes()]), events };
  } catch (error) {
    if (!(error instanceof ExecutionFailure)) throw error;
    return { ...common, failure: error, changes: sorted(bump(objects, write)), events: [] };
  }
}

function runCalls(
  calls: readonly Call[],
  draft: ReturnType<typeof createDraft>,
  { packageId }: Genesis,
  timestampMs: number,
): GateEvent[] {
  return calls.flatMap((call, command) => {
    try {
      return runCall(call, draft, timestampMs) ?? [];
    } catch (error) {
      if (error instanceof MoveAbort) {
        throw new ExecutionFailure(abortStatus(packageId, call.function, error), command);
      }
      if (error instanceof TooManyFields) {
        throw new ExecutionFailure({ MovePrimitiveRuntimeError: null }, command);
      }
      throw error;
    }
  });
}

/** Every object that came in and could be changed has a new version afterwards, changed or not, failed or not. */
function bump(
  objects: Objects,
  { digest, version }: { digest: string; version: bigint },
  contentOf = (object: StoredObject) => object.content,
): Change[] {
  return objects
    .filter(({ isMutable }) => isMutable)
    .map(({ object: before }) => {
      const after = { ...before, content: contentOf(before), version, previousTransaction: digest };
      return { objectId: before.objectId, before, after };
    });
}

const sorted = (changes: Change[]) => changes.sort((a, b) => (a.objectId < b.objectId ? -1 : 1));
