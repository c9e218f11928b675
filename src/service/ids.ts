import { randomBytes } from "node:crypto";
import { untilSuccess } from "#async/coalesce.ts";
import type { WriteOnceName, WriteOnceValues } from "#ports.ts";

const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";
const TIME_DIGITS = 10;
const RANDOM_DIGITS = 16;
const REQUEST_DIGITS = 8;

/** A lower-case ULID after `<prefix>_`: 48 bits of time, so that ids sort by age, and 80 random bits. */
export const newId = (prefix: string, now: number = Date.now()): string =>
  timePart(prefix, now) + randomDigits(RANDOM_DIGITS);

const timePart = (prefix: string, ms: number): string => `${prefix}_${timeDigits(ms, TIME_DIGITS)}`;

/**
 * The last 40 bits of the time, and as many random ones. Ids of one time lie together in the index of decisions: a commit
 * that adds some there writes one page, and not one for each.
 */
export const newRequestId = (now: number = Date.now()): string =>
  timeDigits(now, REQUEST_DIGITS) + randomDigits(REQUEST_DIGITS);

/** The last ones, the greatest first. */
function timeDigits(ms: number, count: number): string {
  let digits = "";
  for (let place = count - 1; place >= 0; place--) digits += ALPHABET[Math.floor(ms / 32 ** place) % 32];
  return digits;
}

function randomDigits(count: number): string {
  let digits = "";
  for (const byte of pooledRandomBytes(count)) digits += ALPHABET[byte % 32];
  return digits;
}

/** Sorts before every id that was made at this time or later, and after all others. */
export const firstIdAt = (prefix: string, at: string): string => timePart(prefix, Math.max(0, Date.parse(at)));

const SEED_BYTES = 32;

export const newSeed = (): Uint8Array => pooledRandomBytes(SEED_BYTES);

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/** Cryptographically random bytes from a pool: one large draw costs less than many small ones. */
function pooledRandomBytes(size: number): Buffer {
  if (pool.length < size) pool = randomBytes(POOL_BYTES);
  const taken = pool.subarray(0, size);
  pool = pool.subarray(size);
  return taken;
}

/** A random secret that all processes share: the first one that asks makes it, and it is kept. */
export const sharedSecret = (values: WriteOnceValues, name: WriteOnceName, bytes: number) =>
  untilSuccess(() => values.putIfAbsent(name, randomBytes(bytes)));
