// Pseudonyms: what agents and namespaces are called on a gate that hides their names. The salt of a name follows from a
// secret of the deployment, so a name has one pseudonym there, and the gate can judge claims by it. Whoever is told a
// salt recognizes that name in every receipt of the gate, and no other one.
import { bytesToHex, concatBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { blake2b256, keyedBlake2b256 } from "#core/encoding/digest.ts";

const PREFIX = utf8ToBytes("portcullis/name/v1\0");

/** The secret has 32 bytes. */
export const nameSalt = (secret: Uint8Array, name: string): Uint8Array => keyedBlake2b256(secret)(utf8ToBytes(name));

/** 64 hex digits. */
export const pseudonymOf = (salt: Uint8Array, name: string): string =>
  bytesToHex(blake2b256(concatBytes(PREFIX, salt, utf8ToBytes(name))));

export const isPseudonym = (name: string): boolean => /^[0-9a-f]{64}$/.test(name);

export interface Naming {
  onLedger(name: string): string;
  /** Opens the pseudonym of a name. Absent where names are plain. */
  saltOf?(name: string): Uint8Array;
}

export const PLAIN_NAMES: Naming = { onLedger: (name) => name };

/** `secret` is the deployment's, 32 bytes. */
export function pseudonyms(secret: Uint8Array): Naming {
  const saltOf = (name: string) => nameSalt(secret, name);
  return { onLedger: (name) => pseudonymOf(saltOf(name), name), saltOf };
}
