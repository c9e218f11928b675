import { randomBytes } from "node:crypto";

/**
 * `<prefix>_` and 26 characters: 48 bits of time, so that ids sort by age, and 80 random bits, so that nobody guesses
 * one. The same layout as a ULID, in lower case.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  const bits = (BigInt(now) << 80n) | BigInt(`0x${randomBytes(10).toString("hex")}`);
  return `${prefix}_${base32(bits)}`;
}

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

function base32(bits: bigint): string {
  return Array.from({ length: 26 }, (_, i) => ALPHABET[Number((bits >> BigInt(5 * (25 - i))) & 31n)]).join("");
}
