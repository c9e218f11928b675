// The objects of the ledger: one version of each with its BCS and its digest, and the state, which has the current ones.
import { bcs } from "@mysten/sui/bcs";
import type { SuiClientTypes } from "@mysten/sui/client";
import { fromBase58, toBase58, toHex } from "@mysten/sui/utils";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { blake2b256 } from "#core/encoding/digest.ts";
import type { Kind } from "./object-kinds.ts";

export type Owner = Exclude<
  SuiClientTypes.ObjectOwner,
  SuiClientTypes.ConsensusAddressOwner | SuiClientTypes.UnknownOwner
>;

export interface StoredObject {
  readonly objectId: string;
  readonly kind: Kind;
  readonly version: bigint;
  readonly owner: Owner;
  readonly content: Uint8Array<ArrayBuffer>;
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

/** A Move object without the envelope, as it stands in an object and in the genesis transaction. */
export function moveData({ kind, version, content }: Pick<StoredObject, "kind" | "version" | "content">) {
  const { moveType: type, hasPublicTransfer } = kind;
  return { Move: { type, hasPublicTransfer, version, contents: content } };
}

/**
 * The same bytes as bcs.Object of the SDK, made from cached parts that many objects share. The effects of every
 * transaction need the digests of all objects that it wrote, and so does every page of objects.
 */
export function objectBcs(object: StoredObject): Uint8Array<ArrayBuffer> {
  const { kind, version, owner, content, previousTransaction } = object;
  const parts = [
    firstBytes(kind),
    u64(version),
    bcs.uleb128().serialize(content.length).toBytes(),
    content,
    ownerBcs(owner),
    Uint8Array.of(DIGEST_BYTES),
    fromBase58(previousTransaction),
    // The storage rebate. Storage costs nothing here.
    u64(0n),
  ];
  return Uint8Array.from(Buffer.concat(parts));
}

export const objectDigest = (object: StoredObject): string => typedDigest("Object", objectBcs(object));

export function namedObject(object: StoredObject) {
  const { objectId, version, owner, kind } = object;
  return { objectId, version: String(version), digest: objectDigest(object), owner, type: kind.type };
}

const firstBytes = memoize(({ moveType, hasPublicTransfer }: Kind) => {
  const type = bcs.MoveObjectType.serialize(moveType).toBytes();
  return Buffer.concat([Uint8Array.of(0), type, Uint8Array.of(Number(hasPublicTransfer))]);
});
const ownerBcs = memoize((owner: Owner) => bcs.Owner.serialize(owner).toBytes());

function u64(value: bigint): Uint8Array {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

function memoize<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  const cache = new WeakMap<Key, Value>();
  return (key) => getOrInsert(cache, key, () => make(key));
}

const utf8 = new TextEncoder();

/** Sui hashes the name of the type and then the BCS of the value (sui-types/src/crypto.rs, `Signable`). */
export const typedDigest = (type: string, bytes: Uint8Array): string =>
  toBase58(blake2b256(Buffer.concat([utf8.encode(`${type}::`), bytes])));

/** Derives ids of new objects as Sui does (sui-types, `derive_id`): a hash of their origin and a counter. */
export function idGenerator(origin: Uint8Array): () => string {
  let count = 0n;
  return () => `0x${toHex(blake2b256(Buffer.concat([Uint8Array.of(0xf1), origin, u64(count++)])))}`;
}

/** The change of one object. Without `before` it was created. No call of the module deletes one. */
export interface Change {
  readonly before?: StoredObject;
  readonly after: StoredObject;
}

export type State = ReturnType<typeof createState>;

export function createState(initial: readonly Change[]) {
  const byId = new Map<string, StoredObject>();
  const byOwner = new Map<string, string[]>();
  const sorted = new Set<string>();

  function apply(changes: readonly Change[]): void {
    for (const { before, after } of changes) {
      const { objectId, owner } = after;
      byId.set(objectId, after);
      const ownerId = owner.AddressOwner ?? owner.ObjectOwner;
      // The owner of an object never changes: no call of the module transfers one.
      if (before !== undefined || ownerId === undefined) continue;
      getOrInsert(byOwner, ownerId, () => []).push(objectId);
      sorted.delete(ownerId);
    }
  }

  apply(initial);
  return {
    apply,
    get: (objectId: string): StoredObject | undefined => byId.get(objectId),
    /** The ids of the objects that an address or an object owns, in ascending order. */
    idsOwnedBy(owner: string): readonly string[] {
      const ids = byOwner.get(owner) ?? [];
      if (!sorted.has(owner)) ids.sort();
      sorted.add(owner);
      return ids;
    },
  };
}
