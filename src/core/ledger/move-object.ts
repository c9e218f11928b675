// A whole object of the ledger: the envelope around the contents, decoded from BCS, and its digest.
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { base58 } from "#core/encoding/base58.ts";
import { type BcsReader, bcsReader } from "#core/encoding/bcs.ts";
import { blake2b256 } from "#core/encoding/digest.ts";
import { orUndefined } from "#core/or-undefined.ts";

export type Owner = "immutable" | "shared" | "other";

interface MoveObject {
  /** `<package>::<module>::<name>`, with the address in full length. */
  readonly type: string;
  readonly owner: Owner;
  /** The BCS of the Move struct. */
  readonly content: Uint8Array;
  /** The transaction that wrote this version, base58. */
  readonly previousTransaction: string;
}

const OBJECT_PREFIX = utf8ToBytes("Object::");
const OWNER_ADDRESS = 0;
const OWNER_OBJECT = 1;
const OWNER_SHARED = 2;
const OWNER_IMMUTABLE = 3;

/** Base58, as the effects of a transaction name it. */
export function objectDigest(bcs: Uint8Array): string {
  return base58(blake2b256(concatBytes(OBJECT_PREFIX, bcs)));
}

/** Undefined for bytes that are not an object of a type of our kind: no coin, no package, and without type parameters. */
export function readMoveObject(bcs: Uint8Array): MoveObject | undefined {
  return orUndefined(() => {
    const reader = bcsReader(bcs);
    if (reader.length() !== 0) throw new Error("not a Move object");
    if (reader.length() !== 0) throw new Error("a type of Sui's own");
    const type = `${reader.address()}::${reader.string()}::${reader.string()}`;
    if (reader.length() !== 0) throw new Error("a type with parameters");
    reader.bool(); // has_public_transfer
    reader.u64(); // version
    const content = reader.bytes();
    const owner = readOwner(reader);
    const previousTransaction = base58(reader.bytes());
    reader.u64(); // storage rebate
    reader.end();
    return { type, owner, content, previousTransaction };
  });
}

function readOwner(reader: BcsReader): Owner {
  switch (reader.length()) {
    case OWNER_IMMUTABLE:
      return "immutable";
    case OWNER_SHARED:
      reader.u64();
      return "shared";
    case OWNER_ADDRESS:
    case OWNER_OBJECT:
      reader.address();
      return "other";
    default:
      throw new Error("an owner of a kind that is not known");
  }
}
