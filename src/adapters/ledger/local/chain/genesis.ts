// The genesis of a local ledger: one system transaction that creates the objects of a published package.
import { bcs } from "@mysten/sui/bcs";
import { SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { Cap, ClosedField } from "#adapters/ledger/gate-module.ts";
import { blake2b256 } from "#core/encoding/digest.ts";
import { CLOCK, Clock, COIN, Coin, emptyGate, fieldIdsOf, type Kind, type Kinds, kindsOf } from "./object-kinds.ts";
import { childOf, idGenerator, moveData, type Owner, ownedBy, type StoredObject, shared } from "./objects.ts";
import { transactionDigest } from "./transaction.ts";

export type Genesis = ReturnType<typeof genesisOf>;

/** The version of every object of the genesis, and so the version at which the gate was shared. */
export const FIRST_VERSION = 1n;
export const ZERO = `0x${"0".repeat(64)}`;

const LABEL = Buffer.from("portcullis local ledger 2");

/** Recorded transactions name these ids, so their derivation must never change. `isFree`: there is no coin to pay. */
export function genesisOf(owner: string, { gateCount = 1, isFree = false } = {}) {
  const newId = idGenerator(blake2b256(Buffer.concat([LABEL, bcs.Address.serialize(owner).toBytes()])));
  const packageId = newId();
  const kinds = kindsOf(packageId);
  const published = Array.from({ length: gateCount }, () => publish(newId, kinds, owner));
  // It is worth nothing, and pays for every transaction, as Sui demands.
  const coin = isFree ? undefined : gasCoin(newId(), owner);
  const clock = newObject(SUI_CLOCK_OBJECT_ID, CLOCK, shared(FIRST_VERSION), clockContent(0));
  const newObjects = [clock, ...published.flatMap(({ objects }) => objects), ...(coin ? [coin] : [])];
  const bytes = genesisTransaction(newObjects);
  const digest = transactionDigest(bytes);
  const objects = newObjects.map((object) => ({ ...object, previousTransaction: digest }));
  const gates = published.map(({ ids }) => ids);
  return { packageId, kinds, gasCoinId: coin?.objectId, gates, objects, bytes, digest };
}

export const clockContent = (timestampMs: number): Uint8Array<ArrayBuffer> =>
  Clock.serialize({ id: SUI_CLOCK_OBJECT_ID, timestamp_ms: timestampMs }).toBytes();

type NewObject = Omit<StoredObject, "previousTransaction">;

const gasCoin = (id: string, owner: string): NewObject =>
  newObject(id, COIN, ownedBy(owner), Coin.serialize({ id, balance: { value: 0 } }).toBytes());

/** The objects that `init` of the module creates. */
function publish(newId: () => string, kinds: Kinds, owner: string) {
  const [gateId, policyCapId, anchorCapId] = [newId(), newId(), newId()];
  const { gate, closedId } = emptyGate(gateId, newId, false);
  const cap = (id: string) => Cap.serialize({ id, gate: gateId }).toBytes();
  const objects = [
    newObject(gateId, kinds.gate, shared(FIRST_VERSION), gate),
    newObject(policyCapId, kinds.policyCap, ownedBy(owner), cap(policyCapId)),
    newObject(anchorCapId, kinds.anchorCap, ownedBy(owner), cap(anchorCapId)),
    versionZero(closedId, kinds),
  ];
  return { ids: { gateId, policyCapId, anchorCapId }, objects };
}

function versionZero(closedId: string, { closed }: Kinds): NewObject {
  const id = fieldIdsOf(closedId, closed.nameTag)(bcs.u64().serialize(0).toBytes());
  const value = { closed_at_ms: 0, superseded_at_ms: null };
  return newObject(id, closed, childOf(closedId), ClosedField.serialize({ id, name: 0, value }).toBytes());
}

function newObject(objectId: string, kind: Kind, owner: Owner, content: Uint8Array<ArrayBuffer>): NewObject {
  return { objectId, kind, owner, content, version: FIRST_VERSION };
}

/** A system transaction that lists the objects, as Sui's own genesis does. */
function genesisTransaction(newObjects: readonly NewObject[]): Uint8Array {
  const objects = newObjects.map((object) => ({ RawObject: { data: moveData(object), owner: object.owner } }));
  const noGas = { objectId: ZERO, version: 0, digest: "1".repeat(32) };
  return bcs.TransactionData.serialize({
    V1: {
      kind: { Genesis: { objects } },
      sender: ZERO,
      gasData: { payment: [noGas], owner: ZERO, price: 1, budget: 0 },
      expiration: { None: true },
    },
  }).toBytes();
}
