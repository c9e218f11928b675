// blake2b256, the hash that Sui and Walrus use. It is not blake2b512 cut short: the length is one of its parameters.
import { blake2b } from "@noble/hashes/blake2.js";
import { bytesToHex, concatBytes } from "@noble/hashes/utils.js";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { canonicalJson } from "./canonical-json.ts";

const utf8 = new TextEncoder();
/** For texts on their way to a hash. `encode` would make an array for each, which takes longer than to fill one. */
const scratch = new Uint8Array(64 * 1024);
const MOST_BYTES_PER_UNIT = 3;

export type Hash = (bytes: Uint8Array) => Uint8Array;

let hash: Hash = (bytes) => blake2b(bytes, { dkLen: 32 });

export const blake2b256 = (bytes: Uint8Array): Uint8Array => hash(bytes);

/** Replaces the implementation by a faster one. Throws if that has other digests of samples. */
export function setBlake2b256(faster: Hash): void {
  requireKnown("blake2b256", faster, "848caa4a1dc75647395e9c4881d91a3389d595edb0c51bd9ea96897f33c1f8c4");
  hash = faster;
}

/**
 * Throws unless the digests of samples, around the lengths of blocks, have together this digest. To have JavaScript make
 * them for comparison would take 10 ms of every start.
 */
export function requireKnown(name: string, hash: Hash, known: string): void {
  const lengths = [0, 1, 55, 56, 64, 65, 127, 128, 129, 1_000];
  const samples = lengths.map((length) => Uint8Array.from({ length }, (_, i) => i));
  if (toHex(hash(concatBytes(...samples.map(hash)))) !== known) throw new Error(`This is not ${name}.`);
}

export const digestHex = (bytes: Uint8Array): string => toHex(blake2b256(bytes));

/** The same of bytes that come one after another. */
export function streamingDigest() {
  const state = blake2b.create({ dkLen: 32 });
  return { update: (bytes: Uint8Array): void => void state.update(bytes), hex: (): string => toHex(state.digest()) };
}

/** Keyed hashing as blake2b itself defines it. The key has up to 64 bytes. */
type KeyedHash = (key: Uint8Array) => Hash;

let keyedHash: KeyedHash = (key) => (bytes) => blake2b(bytes, { key, dkLen: 32 });

/** With many inputs for one key, the key is taken in once. */
export const keyedBlake2b256 = (key: Uint8Array): Hash => keyedHash(key);

/** Replaces the implementation by a faster one, for keys of 32 bytes. Throws if that has other digests of samples. */
export function setKeyedBlake2b256(faster: KeyedHash): void {
  const key = Uint8Array.from({ length: 32 }, (_, i) => i + 1);
  requireKnown("keyed blake2b256", faster(key), "77f46bfe69b8635885de6325a4b59cf06dd89b49db331b39073ea5467215ba7a");
  keyedHash = faster;
}

/** UTF-8. The bytes stay until the next text. */
export function bytesToHash(text: string): Uint8Array {
  if (text.length * MOST_BYTES_PER_UNIT > scratch.length) return utf8.encode(text);
  return scratch.subarray(0, utf8.encodeInto(text, scratch).written);
}

export const digestOfText = (text: string): string => digestHex(bytesToHash(text));

export const digestOf = (value: unknown): string => digestOfText(canonicalJson(value));

/** The blob id that the mock store gives these bytes: base64url of their blake2b256. Walrus derives its ids otherwise. */
export const contentAddress = (bytes: Uint8Array): string => base64urlOf(blake2b256(bytes));

const BASE64URL = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/** Without padding. A quarter of what `btoa` takes, with its text of bytes and its other alphabet. */
export function base64urlOf(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 3) {
    const three = ((bytes[i] ?? 0) << 16) | ((bytes[i + 1] ?? 0) << 8) | (bytes[i + 2] ?? 0);
    for (let digit = 0; digit < Math.min(4, bytes.length - i + 1); digit++)
      text += BASE64URL[(three >> (18 - 6 * digit)) & 63];
  }
  return text;
}

type Encode = (bytes: Uint8Array) => string;

let encode: Encode = bytesToHex;

export const toHex = (bytes: Uint8Array): string => encode(bytes);

/** Replaces the implementation by a faster one. Throws if the two differ on a sample with every byte. */
export function setToHex(faster: Encode): void {
  const sample = Uint8Array.from({ length: 258 }, (_, i) => i).subarray(1, 257);
  if (faster(sample) !== bytesToHex(sample)) throw new Error("This is not hex.");
  encode = faster;
}

/** Names in UTF-8 order. */
export interface NameList {
  /** Of the list's canonical JSON. */
  readonly digest: string;
  readonly names: readonly string[];
}

/** In the place of a list. The digest is null for an empty one. */
export interface ListRef {
  readonly digest: string | null;
  readonly count: number;
}

/** An agent's lists stay the same objects until they change, and their digests are derived once. */
const known = new WeakMap<readonly string[], NameList>();

export const nameListOf = (names: readonly string[]): NameList =>
  getOrInsert(known, names, () => ({ digest: digestOf(names), names }));
