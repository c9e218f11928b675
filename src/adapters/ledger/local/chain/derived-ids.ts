// Derives the ids of dynamic fields and derived objects, which are hashes of the parent and the key. The SDK's
// deriveDynamicFieldID gives the same ids, but serializes the type each time, and a transaction derives a thousand.
import { bcs } from "@mysten/sui/bcs";
import { blake2b256 } from "#core/encoding/digest.ts";

type TypeTag = Parameters<typeof bcs.TypeTag.serialize>[0];

/** The first byte of the hashed bytes (sui-types, `HashingIntentScope`). */
const CHILD_OBJECT_ID = 0xf0;

/** Returns a function from the BCS of a key to the id of the field of `parentId` with that key. */
export function fieldIdsOf(parentId: string, keyType: TypeTag): (key: Uint8Array) => string {
  const start = Buffer.concat([Uint8Array.of(CHILD_OBJECT_ID), idBytes(parentId)]);
  const end = bcs.TypeTag.serialize(keyType).toBytes();
  return (key) => {
    const length = Buffer.alloc(8);
    length.writeUInt32LE(key.length);
    return `0x${Buffer.from(blake2b256(Buffer.concat([start, length, key, end]))).toString("hex")}`;
  };
}

/** The bytes of an id in full length. */
export const idBytes = (id: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(id.slice(2), "hex"));
