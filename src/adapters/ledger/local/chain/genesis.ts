// The genesis of a local ledger: one system transaction that creates the objects of a published package.
import { bcs } from "@mysten/sui/bcs";
import { SUI_CLOCK_OBJECT_ID, toHex } from "@mysten/sui/utils";
import { Cap, Gate } from "#adapters/ledger/gate-module.ts";
import { transactionDigest } from "#adapters/ledger/local/execution/transaction.ts";
import { blake2b256 } from "#core/encoding/digest.ts";
import type { ChainFormat } from "./chain-format.ts";
import { Clock, Coin, type Kind, type Kinds, kindsOf } from "./object-kinds.ts";
import { moveData, type Owner, ownedBy, type StoredObject, shared } from "./objects.ts";

export interface Genesis {
  readonly packageId: string;
  readonly format: ChainFormat;
  /** The owner's coin. It is worth nothing, and pays for every transaction. Absent where transactions need no payment. */
  readonly gasCoinId?: string;
  readonly kinds: Kinds;
  readonly gates: readonly ReturnType<typeof publish>["ids"][];
  readonly objects: readonly StoredObject[];
  /** The BCS of the genesis transaction, and its digest. */
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The version of every object of the genesis, and so the version at which the gate was shared. */
export const FIRST_VERSION = 1n;
/** The address of the system. */
export const ZERO = `0x${"0".repeat(64)}`;

/**
 * Recorded transactions name these ids, so their derivation must never change. They are derived from the owner and not
 * from the bytecode, because a ledger has to survive an upgrade of the module.
 */
export function genesisOf(owner: string, format: ChainFormat, gateCount = 1): Genesis {
  const seed = Buffer.concat([Buffer.from("portcullis local ledger"), bcs.Address.serialize(owner).toBytes()]);
  const newId = idGenerator(seed);
  const packageId = newId();
  const kinds = kindsOf(packageId);
  const clock = newObject(SUI_CLOCK_OBJECT_ID, kinds.clock, shared(FIRST_VERSION), clockContent(0));
  const published = Array.from({ length: gateCount }, () => publish(newId, kinds, owner));
  const coins = format.needsGas ? [gasCoin(newId(), kinds, owner)] : [];
  const newObjects = [clock, ...published.flatMap(({ objects }) => objects), ...coins];

  const bytes = genesisTransaction(newObjects);
  const digest = transactionDigest(bytes);
  const objects = newObjects.map((object) => ({ ...object, previousTransaction: digest }));
  const gates = published.map(({ ids }) => ids);
  const ids = { packageId, gates, ...(coins[0] && { gasCoinId: coins[0].objectId }) };
  return { ...ids, format, kinds, objects, bytes, digest };
}

export function clockContent(timestampMs: number): Uint8Array<ArrayBuffer> {
  return Clock.serialize({ id: SUI_CLOCK_OBJECT_ID, timestamp_ms: timestampMs }).toBytes();
}

type NewObject = Omit<StoredObject, "previousTransaction">;

function gasCoin(id: string, kinds: Kinds, owner: string): NewObject {
  return newObject(id, kinds.coin, ownedBy(owner), Coin.serialize({ id, balance: { value: 0 } }).toBytes());
}

/** Creates the objects that `init` of the module creates. */
function publish(newId: () => string, kinds: Kinds, owner: string) {
  const [gateId, policyCapId, anchorCapId] = [newId(), newId(), newId()];
  const access = { id: newId(), size: 0 };
  const cap = (id: string) => Cap.serialize({ id, gate: gateId }).toBytes();
  const objects = [
    newObject(gateId, kinds.gate, shared(FIRST_VERSION), Gate.serialize({ id: gateId, access, version: 0 }).toBytes()),
    newObject(policyCapId, kinds.policyCap, ownedBy(owner), cap(policyCapId)),
    newObject(anchorCapId, kinds.anchorCap, ownedBy(owner), cap(anchorCapId)),
  ];
  return { ids: { gateId, policyCapId, anchorCapId }, objects };
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

/** Derives ids of new objects as Sui does (sui-types, `derive_id`): a hash of their origin and a counter. */
function idGenerator(seed: Uint8Array): () => string {
  const origin = blake2b256(seed);
  let count = 0;
  return () => {
    const number = bcs.u64().serialize(count++).toBytes();
    return `0x${toHex(blake2b256(Buffer.concat([Uint8Array.of(0xf1), origin, number])))}`;
  };
}
