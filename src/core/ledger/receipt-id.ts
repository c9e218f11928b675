// The id of a receipt on the ledger. It follows from the gate and from what the receipt says (`sui::derived_object`), so
// an object that says something else has another id.
import { concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { fullAddress } from "#core/encoding/address.ts";
import { digestHex } from "#core/encoding/digest.ts";

export interface ReceiptIdParts {
  /** The package whose publication made the gate. */
  readonly packageId: string;
  readonly gate: string;
  /** Hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly policyVersion: bigint;
}

/** The first byte of the hashed bytes (sui-types, `HashingIntentScope`). */
const CHILD_OBJECT_ID = Uint8Array.of(0xf0);
const STRUCT_TAG = Uint8Array.of(7);
const NO_PARAMETERS = Uint8Array.of(0);
const ONE_PARAMETER = Uint8Array.of(1);

/** `0x` and hex. Throws if one of the ids is not an address. */
export function receiptIdOf({ packageId, gate, digest, claimed, policyVersion }: ReceiptIdParts): string {
  const key = concatBytes(
    withLength(hexToBytes(digest)),
    length(claimed.length),
    ...claimed.map((name) => text(name)),
    u64(policyVersion),
  );
  const keyType = concatBytes(STRUCT_TAG, address(packageId), text("gate"), text("ReceiptKey"), NO_PARAMETERS);
  const type = concatBytes(
    STRUCT_TAG,
    address("0x2"),
    text("derived_object"),
    text("DerivedObjectKey"),
    ONE_PARAMETER,
    keyType,
  );
  return `0x${digestHex(concatBytes(CHILD_OBJECT_ID, address(gate), u64(BigInt(key.length)), key, type))}`;
}

const text = (value: string): Uint8Array => withLength(utf8ToBytes(value));

const withLength = (bytes: Uint8Array): Uint8Array => concatBytes(length(bytes.length), bytes);

/** ULEB128. */
function length(value: number): Uint8Array {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function address(id: string): Uint8Array {
  const full = fullAddress(id);
  if (full === undefined) throw new Error("not an address");
  return hexToBytes(full.slice(2));
}
