// How a local ledger begins: as if the package had been published, by nobody, in the first transaction.
import { bcs } from "@mysten/sui/bcs";
import { SUI_CLOCK_OBJECT_ID, toHex } from "@mysten/sui/utils";
import { Cap, Gate } from "#adapters/ledger/gate-module.ts";
import { transactionDigest } from "#adapters/ledger/local/execution/transaction.ts";
import { blake2b256 } from "#core/encoding/digest.ts";
import { Clock, type Kind, type Kinds, kindsOf } from "./kinds.ts";
import { moveData, type Owner, ownedBy, type StoredObject, shared } from "./objects.ts";

export interface GateIds {
  readonly gateId: string;
  readonly policyCapId: string;
  readonly anchorCapId: string;
}

export interface Genesis {
  readonly packageId: string;
  readonly kinds: Kinds;
  readonly gates: readonly GateIds[];
  readonly objects: readonly StoredObject[];
  /** The transaction that made all this, in BCS, and its digest. */
  readonly bytes: Uint8Array;
  readonly digest: string;
}

/** The version that every object of the genesis has, and so the one that the gate was shared at. */
export const FIRST_VERSION = 1n;
const ZERO = `0x${"0".repeat(64)}`;

/**
 * Recorded transactions name these ids, so what they are derived from must never change. It is the owner, and not the
 * bytecode: a ledger has to survive an upgrade of the module.
 */
export function genesisOf(owner: string, gateCount = 1): Genesis {
  const newId = idsFrom(
    Buffer.concat([Buffer.from("portcullis local ledger"), bcs.Address.serialize(owner).toBytes()]),
  );
  const packageId = newId();
  const kinds = kindsOf(packageId);
  const clock = draft(SUI_CLOCK_OBJECT_ID, kinds.clock, shared(FIRST_VERSION), clockContent(0));
  const published = Array.from({ length: gateCount }, () => publish(newId, kinds, owner));
  const drafts = [clock, ...published.flatMap(({ drafts }) => drafts)];

  const bytes = genesisTransaction(drafts);
  const digest = transactionDigest(bytes);
  const objects = drafts.map((object) => ({ ...object, previousTransaction: digest }));
  return { packageId, kinds, gates: published.map(({ ids }) => ids), objects, bytes, digest };
}

export function clockContent(timestampMs: number): Uint8Array<ArrayBuffer> {
  return Clock.serialize({ id: SUI_CLOCK_OBJECT_ID, timestamp_ms: timestampMs }).toBytes();
}

type Draft = Omit<StoredObject, "previousTransaction">;

/** What `init` of the module does. */
function publish(newId: () => string, kinds: Kinds, owner: string): { ids: GateIds; drafts: Draft[] } {
  const ids = { gateId: newId(), policyCapId: newId(), anchorCapId: newId() };
  const { gateId, policyCapId, anchorCapId } = ids;
  const access = { id: newId(), size: 0 };
  const cap = (id: string) => Cap.serialize({ id, gate: gateId }).toBytes();
  const drafts = [
    draft(gateId, kinds.gate, shared(FIRST_VERSION), Gate.serialize({ id: gateId, access, version: 0 }).toBytes()),
    draft(policyCapId, kinds.policyCap, ownedBy(owner), cap(policyCapId)),
    draft(anchorCapId, kinds.anchorCap, ownedBy(owner), cap(anchorCapId)),
  ];
  return { ids, drafts };
}

function draft(objectId: string, kind: Kind, owner: Owner, content: Uint8Array<ArrayBuffer>): Draft {
  return { objectId, kind, owner, content, version: FIRST_VERSION };
}

/** As Sui's own genesis: a transaction of the system that lists the objects as they are. */
function genesisTransaction(drafts: readonly Draft[]): Uint8Array {
  const objects = drafts.map((object) => ({ RawObject: { data: moveData(object), owner: object.owner } }));
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

/** As Sui makes ids of new objects (sui-types, `derive_id`): a hash of where they come from and a number. */
function idsFrom(seed: Uint8Array): () => string {
  const origin = blake2b256(seed);
  let made = 0;
  return () => {
    const number = bcs.u64().serialize(made++).toBytes();
    return `0x${toHex(blake2b256(Buffer.concat([Uint8Array.of(0xf1), origin, number])))}`;
  };
}
