import { pooledRandomBytes } from "./random-bytes.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * A ULID in lower case, after `<prefix>_`: 48 bits of time, so that ids sort by age, and 80 random bits, so that nobody
 * can guess one.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let id = `${prefix}_`;
  for (let place = TIME_DIGITS - 1; place >= 0; place--) id += ALPHABET[Math.floor(now / 32 ** place) % 32];
  for (const byte of pooledRandomBytes(RANDOM_DIGITS)) id += ALPHABET[byte % 32];
  return id;
}

const SEED_BYTES = 32;

/** The seed of a receipt's salts. */
export function newSeed(): Uint8Array {
  return pooledRandomBytes(SEED_BYTES);
}
