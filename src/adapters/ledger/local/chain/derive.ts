// Ids that are hashes of where an object hangs. The SDK's deriveDynamicFieldID does the same, but reads and writes the
// type anew each time, and a transaction derives a thousand of them.
import { bcs } from "@mysten/sui/bcs";
import { blake2b256 } from "#core/encoding/digest.ts";

type TypeTag = Parameters<typeof bcs.TypeTag.serialize>[0];

/** Before what is hashed into the id of a dynamic field or a derived object (sui-types, `HashingIntentScope`). */
const CHILD_OBJECT_ID = 0xf0;

/** For the BCS of a key, the id of the field of `parentId` that has it as its name. */
export function fieldIdsOf(parentId: string, keyType: TypeTag): (key: Uint8Array) => string {
  const start = Buffer.concat([Uint8Array.of(CHILD_OBJECT_ID), idBytes(parentId)]);
  const end = bcs.TypeTag.serialize(keyType).toBytes();
  return (key) => {
    const length = Buffer.alloc(8);
    length.writeUInt32LE(key.length);
    return `0x${Buffer.from(blake2b256(Buffer.concat([start, length, key, end]))).toString("hex")}`;
  };
}

/** Of an id in full length. */
export const idBytes = (id: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(id.slice(2), "hex"));
