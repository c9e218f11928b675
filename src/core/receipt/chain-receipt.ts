// The receipt on the ledger: the Move struct `Receipt` of `portcullis::gate`, decoded from BCS.
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { fullAddress } from "#core/encoding/address.ts";
import { decoded } from "#core/encoding/bcs.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ForeignReceipt } from "./receipt.ts";

/** The gate judged the claims as of `policyVersion`. */
export interface ChainReceipt {
  readonly gate: string;
  readonly agent: string;
  readonly blobId: string;
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  readonly policyVersion: string;
  /** When `policyVersion` was closed on the ledger. 0 for version 0, in which nothing is allowed. */
  readonly closedAtMs: number;
  /** When the next version was closed there. Absent if `policyVersion` was the last closed one when it was anchored. */
  readonly supersededAtMs?: number;
  readonly anchoredAtMs: number;
}

/** Undefined for bytes that are no receipt: another package may have a type of this name. */
export function readChainReceipt(content: Uint8Array): ChainReceipt | undefined {
  return decoded(content, (reader) => {
    reader.address(); // The object's own id.
    // In the order of the struct.
    const receipt = {
      gate: reader.address(),
      agent: reader.string(),
      blobId: reader.string(),
      digest: bytesToHex(reader.bytes()),
      claimed: reader.vector(reader.string),
      allAuthorized: reader.bool(),
      policyVersion: String(reader.u64()),
      closedAtMs: Number(reader.u64()),
    };
    const [supersededAtMs] = reader.vector(() => Number(reader.u64()), 1);
    const anchoredAtMs = Number(reader.u64());
    return { ...receipt, ...(supersededAtMs !== undefined && { supersededAtMs }), anchoredAtMs };
  });
}

// Whether the Move module could have made a receipt that says this. A ledger, or a node that speaks for it, may lie.

const MAX_NAME_BYTES = 256;
const MAX_BLOB_ID_BYTES = 128;
const MAX_CLAIMS = 64;
const DIGEST_HEX_DIGITS = 64;

/** Which rule of the module it breaks, for people; undefined if none. The order of the claims is a check of its own. */
export function impossibility(receipt: ChainReceipt): string | undefined {
  const { agent, blobId, digest, claimed, allAuthorized, policyVersion, closedAtMs, supersededAtMs } = receipt;
  if (!isWithin(agent, MAX_NAME_BYTES)) return "its agent is no name";
  if (!isWithin(blobId, MAX_BLOB_ID_BYTES)) return "it names no blob";
  if (digest.length !== DIGEST_HEX_DIGITS) return "its digest does not have 32 bytes";
  if (claimed.length > MAX_CLAIMS) return `it claims more than ${MAX_CLAIMS} namespaces`;
  if (!claimed.every((name) => isWithin(name, MAX_NAME_BYTES))) return "one of its claims is no name";
  const isFirst = policyVersion === "0";
  if (isFirst && claimed.length > 0 && allAuthorized) return "version 0 of the policy allows nothing";
  if (isFirst !== (closedAtMs === 0))
    return isFirst ? "version 0 of the policy was never closed" : "its version of the policy was not closed";
  if (supersededAtMs !== undefined && supersededAtMs < closedAtMs) return "the next version was closed before its own";
  if (supersededAtMs !== undefined && supersededAtMs > receipt.anchoredAtMs)
    return "the next version was closed after the receipt was anchored";
  return undefined;
}

const utf8 = new TextEncoder();

const isWithin = (text: string, maxBytes: number): boolean => text !== "" && utf8.encode(text).length <= maxBytes;

// The id of a receipt on the ledger follows from the gate and from what it says (`sui::derived_object`).

export interface ReceiptIdParts {
  /** The package whose publication made the gate. */
  readonly packageId: string;
  readonly gate: string;
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
  return derivedIdOf(gate, key, gateStruct(packageId, "ReceiptKey"));
}

type Ids<Name extends string> = Readonly<Record<"packageId" | Name, string>>;

/** The id of the gate that is made below a root with this key. */
export const gateIdOf = ({ packageId, rootId, key }: Ids<"rootId"> & { readonly key: Uint8Array }): string =>
  derivedIdOf(rootId, withLength(key), gateStruct(packageId, "GateKey"));

/** The id of the dynamic field in which a gate has the last checkpoint of a log. */
export const logFieldIdOf = ({ packageId, gateId, origin }: Ids<"gateId" | "origin">): string =>
  childIdOf(gateId, text(origin), gateStruct(packageId, "LogKey"));

const gateStruct = (packageId: string, struct: string): Uint8Array =>
  concatBytes(STRUCT_TAG, address(packageId), text("gate"), text(struct), NO_PARAMETERS);

function derivedIdOf(parent: string, key: Uint8Array, struct: Uint8Array): string {
  const type = concatBytes(
    STRUCT_TAG,
    address("0x2"),
    text("derived_object"),
    text("DerivedObjectKey"),
    ONE_PARAMETER,
    struct,
  );
  return childIdOf(parent, key, type);
}

/** The id of an object that follows from its parent and from a key of this type, such as an entry of a table. */
export const childIdOf = (parent: string, key: Uint8Array, type: Uint8Array): string =>
  `0x${digestHex(concatBytes(CHILD_OBJECT_ID, address(parent), u64(BigInt(key.length)), key, type))}`;

const text = (value: string): Uint8Array => withLength(utf8ToBytes(value));

const withLength = (bytes: Uint8Array): Uint8Array => concatBytes(length(bytes.length), bytes);

/** ULEB128. */
function length(value: number): Uint8Array {
  const bytes = [];
  let rest = value;
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128);
  return Uint8Array.of(...bytes, rest);
}

export function u64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value, true);
  return bytes;
}

function address(id: string): Uint8Array {
  const full = fullAddress(id);
  if (full === undefined) throw new Error("not an address");
  return hexToBytes(full.slice(2));
}

// Whether a later version of the policy was in force on the ledger when an answer was made. The ledger's receipt says
// when the version after the answer's was closed there. The service records a change before the ledger closes it, so an
// answer of an honest service is later than that only by what clocks differ, and by the time that it takes.

/** Clocks differ. More than this is not a difference of clocks. */
export const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** The longest deadline of a call. A receipt is dated when its prompt leaves, maybe after one was refused. */
export const LONGEST_MODEL_CALL_MS = 10 * 60_000;

/** In minutes. */
export const SUPERSEDED_TOLERANCE = (CLOCK_TOLERANCE_MS + LONGEST_MODEL_CALL_MS) / 60_000;

/** `supersededAtMs` is when the next version was closed on the ledger, if it was. */
export const wasSuperseded = (supersededAtMs: number | undefined, createdAt: string): boolean =>
  supersededAtMs !== undefined && Date.parse(createdAt) > supersededAtMs + SUPERSEDED_TOLERANCE * 60_000;

/** Sui takes arguments of less than 16 KiB. */
const MAX_BYTES = 12 * 1024;

/** The namespaces that a receipt claims to rest on, a set in UTF-8 order. Our own claim all that they used. */
export function claimsOf(receipt: Pick<ForeignReceipt, "usedMemories">, requested?: readonly string[], isOwn = false) {
  const used = requested === undefined || isOwn ? receipt.usedMemories.map(({ namespace }) => namespace) : [];
  const claimed = [...new Set([...used, ...(requested ?? [])])].sort(byUtf8);
  if (claimed.length > MAX_CLAIMS || bytesOf(claimed) > MAX_BYTES) {
    const pointer = requested === undefined ? "#/receipt/usedMemories" : "#/claimNamespaces";
    const detail = `must name at most ${MAX_CLAIMS} different namespaces, of ${MAX_BYTES} bytes together`;
    throw new PortcullisError("invalid-request", "A receipt cannot claim that many namespaces.", {
      fields: [{ pointer, detail }],
    });
  }
  return claimed;
}

const bytesOf = (names: readonly string[]): number => utf8.encode(names.join("")).length;
