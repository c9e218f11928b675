import { pooledRandomBytes } from "./random-bytes.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;

/** Many ids are made in the same millisecond. */
let last = { time: 0, digits: timeDigits(0) };

/**
 * A ULID in lower case, after `<prefix>_`: 48 bits of time, so that ids sort by age, and 80 random bits, so that nobody
 * can guess one.
 */
export function newId(prefix: string, now: number = Date.now()): string {
  if (now !== last.time) last = { time: now, digits: timeDigits(now) };
  let id = `${prefix}_${last.digits}`;
  for (const byte of pooledRandomBytes(RANDOM_DIGITS)) id += ALPHABET[byte % 32];
  return id;
}

function timeDigits(time: number): string {
  let digits = "";
  for (let place = TIME_DIGITS - 1; place >= 0; place--) digits += ALPHABET[Math.floor(time / 32 ** place) % 32];
  return digits;
}
