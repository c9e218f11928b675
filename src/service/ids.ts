import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/**
 * `<prefix>_` and 26 characters: 48 bits of time, so that ids sort by age, and 80 random bits, so that nobody guesses
 * one. The same layout as a ULID, in lower case.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  let id = `${prefix}_`;
  for (let place = TIME_DIGITS - 1; place >= 0; place--) id += ALPHABET[Math.floor(now / 32 ** place) % 32];
  for (const byte of nextRandom(RANDOM_DIGITS)) id += ALPHABET[byte % 32];
  return id;
}

// Random bytes are cheaper by the page than by the dozen.
let pool = Buffer.alloc(0);

function nextRandom(size: number): Buffer {
  if (pool.length < size) pool = randomBytes(4096);
  const taken = pool.subarray(0, size);
  pool = pool.subarray(size);
  return taken;
}
