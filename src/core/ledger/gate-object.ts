// The gate on the ledger: the Move struct `Gate` of `portcullis::gate`, decoded from BCS as far as a verifier needs it.
import { fullAddress } from "#core/encoding/address.ts";
import { type BcsReader, decoded } from "#core/encoding/bcs.ts";
import { type ChainReceipt, childIdOf, u64 } from "#core/receipt/chain-receipt.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import { readMoveObject } from "./move-object.ts";

export interface GateKey {
  readonly keyId: string;
  /** Ed25519, 32 bytes. */
  readonly publicKey: Uint8Array;
  readonly addedAtMs: number;
  readonly endedAtMs?: number;
}

export interface ChainGate {
  readonly id: string;
  readonly version: bigint;
  readonly closedId: string;
  readonly keys: readonly GateKey[];
  /** Whether agents and namespaces stand there under pseudonyms (pseudonym.ts). */
  readonly hasPseudonyms: boolean;
}

/** As the Move module has them. Deriving the ids of thousands of keys would take seconds. */
const MAX_KEYS = 32;
const KEY_BYTES = 32;

/** Undefined for bytes that are not a gate, or one that the module could not have made. */
export const readGate = (content: Uint8Array): ChainGate | undefined => decoded(content, parseGate);

function parseGate(reader: BcsReader): ChainGate {
  const id = reader.address();
  skipTable(reader);
  const version = reader.u64();
  const closedId = skipTable(reader);
  const keys = reader.vector((): GateKey => {
    const publicKey = reader.bytes();
    if (publicKey.length !== KEY_BYTES) throw new Error("not a key");
    const addedAtMs = Number(reader.u64());
    const [endedAtMs] = reader.vector(() => Number(reader.u64()), 1);
    return { keyId: keyIdOf(publicKey), publicKey, addedAtMs, ...(endedAtMs !== undefined && { endedAtMs }) };
  }, MAX_KEYS);
  const hasPseudonyms = reader.bool();
  if (new Set(keys.map(({ keyId }) => keyId)).size < keys.length) throw new Error("a key is there twice");
  return { id, version, closedId, keys, hasPseudonyms };
}

function skipTable(reader: BcsReader): string {
  const id = reader.address();
  reader.u64();
  return id;
}

// The entry of a closed version in the gate's table `closed`: an object, which says when it was closed and superseded.

export interface ClosingPlace {
  readonly packageId: string;
  readonly tableId: string;
  readonly version: bigint;
}

export type Closing = Pick<ChainReceipt, "closedAtMs" | "supersededAtMs">;

const U64_TAG = Uint8Array.of(2);

export const closingIdOf = ({ tableId, version }: Omit<ClosingPlace, "packageId">): string =>
  childIdOf(tableId, u64(version), U64_TAG);

/** Undefined for bytes that are not this version's entry of this table. */
export function readClosing(bcs: Uint8Array, place: ClosingPlace): Closing | undefined {
  const object = readMoveObject(bcs);
  const type = `${fullAddress("0x2")}::dynamic_field::Field<u64, ${fullAddress(place.packageId)}::gate::Closing>`;
  if (object?.type !== type || object.ownerId !== place.tableId) return undefined;
  return decoded(object.content, (reader) => {
    const [id, version] = [reader.address(), reader.u64()];
    if (id !== closingIdOf(place) || version !== place.version) throw new Error("another entry");
    const closedAtMs = Number(reader.u64());
    const [supersededAtMs] = reader.vector(() => Number(reader.u64()), 1);
    return { closedAtMs, ...(supersededAtMs !== undefined && { supersededAtMs }) };
  });
}
