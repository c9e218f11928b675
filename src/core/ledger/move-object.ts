// A whole object of the ledger: the envelope around the contents, decoded from BCS, and its digest.
import { concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { type BcsReader, decoded } from "#core/encoding/bcs.ts";
import { blake2b256 } from "#core/encoding/digest.ts";

export type Owner = "immutable" | "shared" | "other";

interface MoveObject {
  /** `<package>::<module>::<name>`, and parameters in angle brackets. Addresses have their full length. */
  readonly type: string;
  readonly owner: Owner;
  /** The address or the object that owns it, if one does. */
  readonly ownerId?: string;
  readonly content: Uint8Array;
  /** The transaction that wrote this version, base58. */
  readonly previousTransaction: string;
}

const OBJECT_PREFIX = utf8ToBytes("Object::");
const TAG_U64 = 2;
const TAG_STRUCT = 7;
const MOST_PARAMETERS = 2;
const OWNER_ADDRESS = 0;
const OWNER_OBJECT = 1;
const OWNER_SHARED = 2;
const OWNER_IMMUTABLE = 3;

/** Base58, as the effects of a transaction name it. */
export const objectDigest = (bcs: Uint8Array): string => base58(blake2b256(concatBytes(OBJECT_PREFIX, bcs)));

/** Undefined for bytes that are not an object of a type of our kind: no coin, and no package. */
export function readMoveObject(bcs: Uint8Array): MoveObject | undefined {
  return decoded(bcs, (reader) => {
    if (reader.length() !== 0) throw new Error("not a Move object");
    if (reader.length() !== 0) throw new Error("a type of Sui's own");
    const type = readStruct(reader);
    reader.bool(); // has_public_transfer
    reader.u64(); // version
    const content = reader.bytes();
    const owned = readOwner(reader);
    const previousTransaction = base58(reader.bytes());
    reader.u64(); // storage rebate
    return { type, ...owned, content, previousTransaction };
  });
}

function readStruct(reader: BcsReader): string {
  const name = `${reader.address()}::${reader.string()}::${reader.string()}`;
  const parameters = reader.vector(() => readTypeTag(reader), MOST_PARAMETERS);
  return parameters.length === 0 ? name : `${name}<${parameters.join(", ")}>`;
}

/** Only those types that our objects have as parameters. */
function readTypeTag(reader: BcsReader): string {
  switch (reader.length()) {
    case TAG_U64:
      return "u64";
    case TAG_STRUCT:
      return readStruct(reader);
    default:
      throw new Error("a type parameter of a kind that is not ours");
  }
}

function readOwner(reader: BcsReader): Pick<MoveObject, "owner" | "ownerId"> {
  switch (reader.length()) {
    case OWNER_IMMUTABLE:
      return { owner: "immutable" };
    case OWNER_SHARED:
      reader.u64();
      return { owner: "shared" };
    case OWNER_ADDRESS:
    case OWNER_OBJECT:
      return { owner: "other", ownerId: reader.address() };
    default:
      throw new Error("an owner of a kind that is not known");
  }
}

// Base58 with Bitcoin's alphabet, in which Sui writes digests.
const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";
const BASE = 58n;

function base58(bytes: Uint8Array): string {
  let value = bytes.reduce((number, byte) => number * 256n + BigInt(byte), 0n);
  let digits = "";
  for (; value > 0n; value /= BASE) digits = ALPHABET.charAt(Number(value % BASE)) + digits;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + digits;
}
