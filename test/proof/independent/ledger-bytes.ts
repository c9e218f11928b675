// The bytes of the ledger: BCS, the receipt object, derived ids, digests and signatures, by the section "On the ledger"
// of docs/proof.md.
import { createPublicKey, verify } from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";

const hash = (...parts: readonly Uint8Array[]): Buffer => Buffer.from(blake2b(Buffer.concat(parts), { dkLen: 32 }));
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString("hex")}`;

// BCS, written.

function length(count: number): Buffer {
  const bytes: number[] = [];
  for (let left = count; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left]);
    bytes.push((left % 128) + 128);
  }
}

function u64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(value);
  return bytes;
}

const address = (id: string): Buffer => Buffer.from(id.replace(/^0x/, "").padStart(64, "0"), "hex");
const byteVector = (bytes: Uint8Array): Buffer => Buffer.concat([length(bytes.length), bytes]);
const string = (text: string): Buffer => byteVector(Buffer.from(text, "utf8"));
const vector = (elements: readonly Buffer[]): Buffer => Buffer.concat([length(elements.length), ...elements]);

interface StructType {
  readonly address: string;
  readonly module: string;
  readonly name: string;
  readonly parameters: readonly StructType[];
}

const structTag = ({ address: id, module, name, parameters }: StructType): Buffer =>
  Buffer.concat([address(id), string(module), string(name), vector(parameters.map(typeTag))]);
const typeTag = (type: StructType): Buffer => Buffer.concat([Buffer.of(7), structTag(type)]);

const childId = (parent: string, key: Uint8Array, type: Uint8Array): string =>
  hex(hash(Buffer.of(0xf0), address(parent), u64(BigInt(key.length)), key, type));

/** The id of an entry of the gate's table `access`. */
export function accessEntryId(packageId: string, tableId: string, agent: string, namespace: string): string {
  const type = typeTag({ address: packageId, module: "gate", name: "AccessKey", parameters: [] });
  return childId(tableId, Buffer.concat([string(agent), string(namespace)]), type);
}

/** The id of an entry of the gate's table `closed`. */
export const closedEntryId = (tableId: string, version: bigint): string => childId(tableId, u64(version), Buffer.of(2));

/** The id of the receipt object with this key on this gate. */
export function receiptId(
  { packageId, gateId }: { readonly packageId: string; readonly gateId: string },
  key: { readonly digest: Uint8Array; readonly claimed: readonly string[]; readonly policyVersion: bigint },
): string {
  const bytes = Buffer.concat([byteVector(key.digest), vector(key.claimed.map(string)), u64(key.policyVersion)]);
  const keyType = { address: packageId, module: "gate", name: "ReceiptKey", parameters: [] };
  const type = { address: "0x2", module: "derived_object", name: "DerivedObjectKey", parameters: [keyType] };
  return childId(gateId, bytes, typeTag(type));
}

/** The package and the gate of the local ledger whose transactions this address signs. */
export function localLedgerIds(signer: string) {
  const origin = hash(Buffer.from("portcullis local ledger 2"), address(signer));
  const id = (n: bigint): string => hex(hash(Buffer.of(0xf1), origin, u64(n)));
  return { packageId: id(0n), gateId: id(1n) };
}

// BCS, read.

function reader(source: Uint8Array) {
  let at = 0;
  const take = (count: number): Buffer => {
    if (at + count > source.length) throw new Error("the bytes end too early");
    at += count;
    return Buffer.from(source.subarray(at - count, at));
  };
  const count = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = take(1)[0] as number;
      value += (byte % 128) * factor;
      if (byte < 128) return value;
    }
  };
  const self = {
    byte: () => take(1)[0] as number,
    bool: () => take(1)[0] === 1,
    u16: () => take(2).readUInt16LE(),
    u64: () => take(8).readBigUInt64LE(),
    address: () => hex(take(32)),
    bytes: () => take(count()),
    string: () => take(count()).toString("utf8"),
    list: <T>(element: () => T): T[] => Array.from({ length: count() }, element),
    struct: (): string => {
      const head = `${self.address()}::${self.string()}::${self.string()}`;
      const parameters = self.list(() => (self.byte() === 2 ? "u64" : self.struct()));
      return parameters.length === 0 ? head : `${head}<${parameters.join(", ")}>`;
    },
    end: () => {
      if (at !== source.length) throw new Error("bytes are left");
    },
  };
  return self;
}

/** The contents of a `Receipt` of format 2. */
export function readReceipt(contents: Uint8Array) {
  const { address, string, bytes, list, bool, u64, end } = reader(contents);
  const receipt = {
    id: address(),
    gate: address(),
    agent: string(),
    blobId: string(),
    digest: bytes().toString("hex"),
    claimed: list(string),
    allAuthorized: bool(),
    policyVersion: u64(),
    closedAtMs: u64(),
    supersededAtMs: list(u64)[0],
    anchoredAtMs: u64(),
  };
  end();
  return receipt;
}

/** The contents of a `Gate` of format 2. */
export function readGate(contents: Uint8Array) {
  const { address, bytes, list, bool, u64, end } = reader(contents);
  const table = () => ({ id: address(), size: u64() });
  const gate = {
    id: address(),
    access: table(),
    version: u64(),
    closed: table(),
    keys: list(() => ({ publicKey: bytes(), addedAtMs: u64(), endedAtMs: list(u64)[0] })),
    pseudonyms: bool(),
  };
  end();
  return gate;
}

/** The contents of an entry of the table `closed`. */
export function readClosing(contents: Uint8Array) {
  const { address, list, u64, end } = reader(contents);
  const entry = { id: address(), version: u64(), closedAtMs: u64(), supersededAtMs: list(u64)[0] };
  end();
  return entry;
}

/** Who sent a transaction, and the functions that it calls. */
export function readTransaction(transaction: Uint8Array) {
  const { byte, bool, bytes, u16, u64, address, string, list } = reader(transaction);
  if (byte() !== 0 || byte() !== 0) throw new Error("not a programmable transaction");
  const reference = () => [address(), u64(), bytes()];
  const object = () => (byte() === 1 ? [address(), u64(), bool()] : reference());
  list(() => (byte() === 0 ? bytes() : object()));
  const functions = list(() => {
    if (byte() !== 0) throw new Error("not a call");
    const name = `${address()}::${string()}::${string()}`;
    if (list(() => undefined).length > 0) throw new Error("our functions have no type parameters");
    list(() => Array.from({ length: [0, 1, 1, 2][byte()] ?? 0 }, u16));
    return name;
  });
  return { sender: address(), functions };
}

/** The envelope of a Move object. */
export function readObject(objectBytes: Uint8Array) {
  const { byte, bool, u64, address, bytes, struct, end } = reader(objectBytes);
  if (byte() !== 0 || byte() !== 0) throw new Error("not a Move object of a type of its own");
  const object = { type: struct(), hasPublicTransfer: bool(), version: u64(), contents: bytes() };
  const owner = ["address", "object", "shared", "immutable"][byte()];
  if (owner === "shared") u64();
  const ownerId = owner === "address" || owner === "object" ? address() : undefined;
  const previousTransaction = base58(bytes());
  u64(); // The storage rebate.
  end();
  return { ...object, owner, ownerId, previousTransaction };
}

const ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz";

function base58(bytes: Uint8Array): string {
  let text = "";
  for (let number = BigInt(`0x0${Buffer.from(bytes).toString("hex")}`); number > 0n; number /= 58n)
    text = ALPHABET[Number(number % 58n)] + text;
  const zeros = bytes.findIndex((byte) => byte !== 0);
  return "1".repeat(zeros === -1 ? bytes.length : zeros) + text;
}

export const objectDigest = (bytes: Uint8Array): string => base58(hash(Buffer.from("Object::"), bytes));
export const transactionDigest = (bytes: Uint8Array): string => base58(hash(Buffer.from("TransactionData::"), bytes));

/** The address of whoever signed the transaction with Ed25519; undefined if the signature does not belong to it. */
export function signerOf(transaction: Uint8Array, signatureBase64: string): string | undefined {
  const signature = Buffer.from(signatureBase64, "base64");
  const publicKey = signature.subarray(65);
  if (signature.length !== 97 || signature[0] !== 0) return undefined;
  const x = publicKey.toString("base64url");
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  const message = hash(Buffer.of(0, 0, 0), transaction);
  return verify(null, message, key, signature.subarray(1, 65)) ? hex(hash(Buffer.of(0), publicKey)) : undefined;
}

// What leads from a transaction of Sui to the signature of its validators.

const digestOf = (name: string, bytes: Uint8Array): string => base58(hash(Buffer.from(`${name}::`), bytes));
export const effectsDigest = (bytes: Uint8Array): string => digestOf("TransactionEffects", bytes);
export const contentsDigest = (bytes: Uint8Array): string => digestOf("CheckpointContents", bytes);

/** The transactions of a checkpoint, each with its effects. */
export function readContents(contents: Uint8Array) {
  const { byte, bytes, list, u64, end } = reader(contents);
  const isFirst = byte() === 0;
  const digests = () => ({ transaction: base58(bytes()), effects: base58(bytes()) });
  const executed = list(() => {
    const pair = digests();
    if (!isFirst) list(() => [bytes(), list(u64)]);
    return pair;
  });
  if (isFirst) list(() => list(bytes));
  end();
  return executed;
}

/** The beginning of a checkpoint's summary. */
export function readSummary(summary: Uint8Array) {
  const { u64, bytes } = reader(summary);
  return { epoch: u64(), sequence: u64(), transactions: u64(), contents: base58(bytes()) };
}

/** What the validators of an epoch sign. */
export const signedSummary = (summary: Uint8Array, epoch: bigint): Uint8Array =>
  Buffer.concat([Buffer.of(2, 0, 0), summary, u64(epoch)]);

/** The numbers in a bitmap of fewer than 65,536, of one container without runs. */
export function readBitmap(bitmap: Uint8Array): number[] {
  const bytes = Buffer.from(bitmap);
  if (bytes.readUInt32LE(0) !== 12_346 || bytes.readUInt32LE(4) !== 1) throw new Error("another kind of bitmap");
  return Array.from({ length: bytes.readUInt16LE(10) + 1 }, (_, i) => bytes.readUInt16LE(16 + 2 * i));
}
