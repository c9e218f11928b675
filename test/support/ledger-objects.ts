// Test data: objects of the ledger as a full node returns them, written with the SDK's BCS and none of our code.
import { bcs, TypeTagSerializer } from "@mysten/sui/bcs";
import { deriveDynamicFieldID, deriveObjectID, toBase58 } from "@mysten/sui/utils";
import { blake2b } from "@noble/hashes/blake2.js";
import type { FetchedObject } from "#core/verify/observation.ts";

export const PACKAGE_ID = `0x${"ab".repeat(32)}`;
export const GATE_ID = `0x${"9a".repeat(32)}`;
/** The gate's table of closed versions. */
const CLOSED_ID = `0x${"0c".repeat(32)}`;
export const TX_DIGEST = toBase58(Uint8Array.from({ length: 32 }, (_, i) => 200 - i));

const Id = bcs.Address;
const Table = bcs.struct("Table", { id: Id, size: bcs.u64() });

const Gate = bcs.struct("Gate", {
  id: Id,
  access: Table,
  version: bcs.u64(),
  closed: Table,
  keys: bcs.vector(
    bcs.struct("SigningKey", {
      public_key: bcs.byteVector(),
      added_at_ms: bcs.u64(),
      ended_at_ms: bcs.option(bcs.u64()),
    }),
  ),
  pseudonyms: bcs.bool(),
});

const head = {
  id: Id,
  gate: Id,
  agent: bcs.string(),
  blob_id: bcs.string(),
  digest: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
  all_authorized: bcs.bool(),
};
const Receipt = bcs.struct("Receipt", {
  ...head,
  policy_version: bcs.u64(),
  closed_at_ms: bcs.u64(),
  superseded_at_ms: bcs.option(bcs.u64()),
  anchored_at_ms: bcs.u64(),
});
const ReceiptKey = bcs.struct("ReceiptKey", {
  digest: bcs.byteVector(),
  claimed: bcs.vector(bcs.string()),
  policy_version: bcs.u64(),
});

/** What the receipt on the ledger says. */
export interface ChainFields {
  readonly gate: string;
  readonly agent: string;
  readonly blobId: string;
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  readonly policyVersion: string;
  readonly closedAtMs: number;
  readonly supersededAtMs?: number;
  readonly anchoredAtMs: number;
}

/** The id that the module gives to such a receipt. */
export function receiptIdOf({ gate, digest, claimed, policyVersion }: ChainFields, packageId = PACKAGE_ID): string {
  const key = { digest: Buffer.from(digest, "hex"), claimed: [...claimed], policy_version: policyVersion };
  return deriveObjectID(gate, `${packageId}::gate::ReceiptKey`, ReceiptKey.serialize(key).toBytes());
}

export function receiptContent(id: string, fields: ChainFields): Uint8Array {
  const { gate, agent, blobId, digest, claimed, allAuthorized, policyVersion, anchoredAtMs } = fields;
  const { closedAtMs, supersededAtMs = null } = fields;
  return Receipt.serialize({
    id,
    gate,
    agent,
    blob_id: blobId,
    digest: Buffer.from(digest, "hex"),
    claimed: [...claimed],
    all_authorized: allAuthorized,
    policy_version: policyVersion,
    closed_at_ms: closedAtMs,
    superseded_at_ms: supersededAtMs,
    anchored_at_ms: BigInt(anchoredAtMs),
  }).toBytes();
}

export interface GateFields {
  readonly id: string;
  readonly version: number;
  readonly keys: readonly {
    readonly publicKey: Uint8Array;
    readonly addedAtMs: number;
    readonly endedAtMs?: number | undefined;
  }[];
  readonly pseudonyms?: boolean;
}

export function gateContent({ id, version, keys, pseudonyms = false }: GateFields): Uint8Array {
  const access = { id: `0x${"0a".repeat(32)}`, size: 3 };
  const closed = { id: CLOSED_ID, size: 3 };
  const written = keys.map(({ publicKey, addedAtMs, endedAtMs }) => ({
    public_key: publicKey,
    added_at_ms: addedAtMs,
    ended_at_ms: endedAtMs ?? null,
  }));
  return Gate.serialize({ id, access, version, closed, keys: written, pseudonyms }).toBytes();
}

const ClosedEntry = bcs.struct("Field", {
  id: Id,
  name: bcs.u64(),
  value: bcs.struct("Closing", { closed_at_ms: bcs.u64(), superseded_at_ms: bcs.option(bcs.u64()) }),
});

export interface ClosingFields {
  readonly version: string;
  readonly closedAtMs: number;
  readonly supersededAtMs?: number | undefined;
  /** By default the gate's. */
  readonly tableId?: string;
  readonly packageId?: string;
  /** The struct, by default `Closing`. */
  readonly value?: string;
}

export const closingIdOf = (version: string, tableId = CLOSED_ID): string =>
  deriveDynamicFieldID(tableId, "u64", bcs.u64().serialize(version).toBytes());

/** The entry of a version in the gate's table of closed ones, as a full node that does not lie returns it. */
export function closingObject(fields: ClosingFields): FetchedObject {
  const { version, closedAtMs, supersededAtMs = null, tableId = CLOSED_ID, packageId = PACKAGE_ID } = fields;
  const objectId = closingIdOf(version, tableId);
  const value = { closed_at_ms: closedAtMs, superseded_at_ms: supersededAtMs };
  const content = ClosedEntry.serialize({ id: objectId, name: version, value }).toBytes();
  const struct = { address: packageId, module: "gate", name: fields.value ?? "Closing", typeParams: [] };
  const tag = { address: "0x2", module: "dynamic_field", name: "Field", typeParams: [{ u64: true }, { struct }] };
  return { objectId, owner: "other", content, ...wholeObject(tag, { ObjectOwner: tableId }, content, TX_DIGEST) };
}

const Checkpoint = bcs.struct("Checkpoint", {
  id: Id,
  gate: Id,
  origin: bcs.string(),
  size: bcs.u64(),
  root: bcs.byteVector(),
  anchored_at_ms: bcs.u64(),
});

export const CHECKPOINT_ID = `0x${"cc".repeat(32)}`;

interface CheckpointFields extends ObjectOptions {
  readonly id?: string;
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
  readonly name?: string;
  readonly owner?: FetchedObject["owner"];
}

/** A checkpoint of a log, as a full node that does not lie returns it. */
export function checkpointObject(fields: CheckpointFields): FetchedObject {
  const { id = CHECKPOINT_ID, origin, size, root, name = "Checkpoint", owner = "immutable", ...options } = fields;
  const content = Checkpoint.serialize({ id, gate: GATE_ID, origin, size, root, anchored_at_ms: 1_777_629_900_000 });
  return fetchedObject(CHECKPOINT_ID, name, owner, content.toBytes(), options);
}

const OWNERS = {
  immutable: { Immutable: true },
  shared: { Shared: { initialSharedVersion: 1 } },
  other: { AddressOwner: `0x${"01".repeat(32)}` },
} as const;

interface ObjectOptions {
  readonly packageId?: string;
  readonly module?: string;
  readonly previousTransaction?: string;
}

/** An object as a full node that does not lie returns it. */
export function fetchedObject(
  objectId: string,
  name: string,
  owner: FetchedObject["owner"],
  content: Uint8Array,
  { packageId = PACKAGE_ID, module = "gate", previousTransaction = TX_DIGEST }: ObjectOptions = {},
): FetchedObject {
  const tag = { address: packageId, module, name, typeParams: [] };
  return { objectId, owner, content, ...wholeObject(tag, OWNERS[owner], content, previousTransaction) };
}

/** The type of the object, and its bytes with their digest. */
function wholeObject(
  tag: object,
  owner: typeof bcs.Owner.$inferInput,
  contents: Uint8Array,
  previousTransaction: string,
): Pick<FetchedObject, "type" | "bcs" | "digest" | "previousTransaction"> {
  const data = { Move: { type: { Other: tag as never }, hasPublicTransfer: false, version: 5, contents } };
  const whole = bcs.Object.serialize({ data, owner, previousTransaction, storageRebate: 0 }).toBytes();
  const digest = toBase58(blake2b(Buffer.concat([Buffer.from("Object::"), whole]), { dkLen: 32 }));
  const type = TypeTagSerializer.tagToString({ struct: tag } as never);
  return { type, bcs: whole, digest, previousTransaction };
}
