// The effects of a transaction in BCS, as validators sign them. They are built on demand: they contain the digest of
// every object that was written, and hashing those is most of the work of a transaction.
import { bcs } from "@mysten/sui/bcs";
import { MODULE } from "#adapters/ledger/gate-module.ts";
import type { LoggedTransaction } from "#ports.ts";
import type { Execution } from "./execute.ts";
import type { Effects } from "./failure.ts";
import { type Change, objectDigest, type StoredObject, typedDigest } from "./objects.ts";

/** Every transaction is a checkpoint of its own. The genesis has 0. */
export interface Executed extends Execution, Omit<LoggedTransaction, "txDigest"> {
  readonly digest: string;
  readonly sender: string;
  readonly functions: readonly string[];
}

const NO_GAS = { computationCost: 0, storageCost: 0, storageRebate: 0, nonRefundableStorageFee: 0 };

export const effectsBcs = (executed: Executed): Uint8Array<ArrayBuffer> =>
  serialize(executed, executed.changes.map(changed), eventsDigest(executed));

/** The effects without their objects and events, to read the status from. */
export const statusBcs = (executed: Executed): Uint8Array<ArrayBuffer> =>
  serialize({ ...executed, reads: [] }, [], null);

type ChangedObject = Effects["changedObjects"] extends Iterable<infer T> ? T : never;

function serialize(executed: Executed, changedObjects: ChangedObject[], events: string | null) {
  const { failure, digest, dependencies, version, reads, gasCoinId } = executed;
  const gasIndex = changedObjects.findIndex(([objectId]) => objectId === gasCoinId);
  const effects: Effects = {
    status: failure ? { Failure: { error: failure.status, command: failure.command } } : { Success: true },
    executedEpoch: 0,
    gasUsed: NO_GAS,
    transactionDigest: digest,
    gasObjectIndex: gasIndex === -1 ? null : gasIndex,
    eventsDigest: events,
    dependencies: [...dependencies],
    lamportVersion: version,
    changedObjects,
    unchangedConsensusObjects: reads.map((read) => [read.objectId, { ReadOnlyRoot: versionDigest(read) }]),
    auxDataDigest: null,
  };
  return bcs.TransactionEffects.serialize({ V2: effects }).toBytes();
}

function changed({ before, after }: Change): ChangedObject {
  const inputState = before ? { Exist: [versionDigest(before), before.owner] as const } : { NotExist: true as const };
  const outputState = { ObjectWrite: [objectDigest(after), after.owner] as const };
  const idOperation = before ? { None: true as const } : { Created: true as const };
  return [after.objectId, { inputState, outputState, idOperation }];
}

const versionDigest = (object: StoredObject): [bigint, string] => [object.version, objectDigest(object)];

const Events = bcs.vector(
  bcs.struct("Event", {
    package_id: bcs.Address,
    transaction_module: bcs.string(),
    sender: bcs.Address,
    type: bcs.StructTag,
    contents: bcs.byteVector(),
  }),
);

function eventsDigest({ events, sender, packageId }: Executed): string | null {
  if (events.length === 0) return null;
  const listed = events.map(({ name, bcs: contents }) => ({
    package_id: packageId,
    transaction_module: MODULE,
    sender,
    type: { address: packageId, module: MODULE, name, typeParams: [] },
    contents,
  }));
  return typedDigest("TransactionEvents", Events.serialize(listed).toBytes());
}
