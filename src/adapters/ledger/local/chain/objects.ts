// One version of one object, and its form in BCS, which is what its digest is taken of.
import { bcs } from "@mysten/sui/bcs";
import type { SuiClientTypes } from "@mysten/sui/client";
import { fromBase58, toBase58 } from "@mysten/sui/utils";
import { blake2b256 } from "#core/encoding/digest.ts";
import type { Kind } from "./kinds.ts";

export type Owner = Exclude<
  SuiClientTypes.ObjectOwner,
  SuiClientTypes.ConsensusAddressOwner | SuiClientTypes.UnknownOwner
>;

export interface StoredObject {
  readonly objectId: string;
  readonly kind: Kind;
  readonly version: bigint;
  readonly owner: Owner;
  /** The BCS of the Move struct. */
  readonly content: Uint8Array<ArrayBuffer>;
  /** The digest of the transaction that wrote this version. */
  readonly previousTransaction: string;
}

export const ownedBy = (address: string): Owner => ({ $kind: "AddressOwner", AddressOwner: address });
export const childOf = (objectId: string): Owner => ({ $kind: "ObjectOwner", ObjectOwner: objectId });
export const shared = (version: bigint): Owner => ({
  $kind: "Shared",
  Shared: { initialSharedVersion: String(version) },
});
export const IMMUTABLE: Owner = { $kind: "Immutable", Immutable: true };

const DIGEST_BYTES = 32;

/** Without the envelope: how a Move object stands in an object and in the transaction of the genesis. */
export function moveData({ kind, version, content }: Pick<StoredObject, "kind" | "version" | "content">) {
  const { tag, hasPublicTransfer } = kind;
  return { Move: { type: { Other: tag }, hasPublicTransfer, version, contents: content } };
}

/**
 * What bcs.Object of the SDK would write, put together from parts that many objects share: every effect has digests of
 * all that was written, and every page of objects does.
 */
export function objectBcs({
  kind,
  version,
  owner,
  content,
  previousTransaction,
}: StoredObject): Uint8Array<ArrayBuffer> {
  const parts = [
    moveType(kind),
    u64(version),
    bcs.uleb128().serialize(content.length).toBytes(),
    content,
    ownerBcs(owner),
    Uint8Array.of(DIGEST_BYTES),
    fromBase58(previousTransaction),
    // Storing costs nothing here, so there is nothing to give back.
    u64(0n),
  ];
  return Uint8Array.from(Buffer.concat(parts));
}

export const objectDigest = (object: StoredObject): string => typedDigest("Object", objectBcs(object));

/** The beginning: a Move object, of a type that is none of Sui's own coins, and whether anyone may pass it on. */
const moveType = memoize(({ tag, hasPublicTransfer }: Kind) => {
  const type = bcs.MoveObjectType.serialize({ Other: tag }).toBytes();
  return Buffer.concat([Uint8Array.of(0), type, Uint8Array.of(Number(hasPublicTransfer))]);
});
const ownerBcs = memoize((owner: Owner) => bcs.Owner.serialize(owner).toBytes());

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const made = new WeakMap<Key, Value>();
  return (key) => {
    const found = made.get(key) ?? make(key);
    made.set(key, found);
    return found;
  };
}

const utf8 = new TextEncoder();

/** Sui hashes a value's BCS behind the name of its type (sui-types/src/crypto.rs, `Signable`). */
export function typedDigest(type: string, bytes: Uint8Array): string {
  return toBase58(blake2b256(Buffer.concat([utf8.encode(`${type}::`), bytes])));
}
