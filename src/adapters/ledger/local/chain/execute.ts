// Executes a transaction on the current objects. Pure: returns the changes, and the caller applies them.
import { fromBase58 } from "@mysten/sui/utils";
import { CallFailure, callFailureStatus, ExecutionFailure } from "./failure.ts";
import type { GateEvent } from "./gate-rules.ts";
import type { Genesis } from "./genesis.ts";
import { type ObjectInput, resolveInputs, resolvePayment } from "./inputs.ts";
import { type ReadCall, readCalls } from "./move-calls.ts";
import type { Change, State, StoredObject } from "./objects.ts";
import { createPendingGates, type Write } from "./pending-gates.ts";
import type { ReadTransaction } from "./transaction.ts";

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
