import { randomBytes } from "node:crypto";

const POOL_BYTES = 4096;
let pool = Buffer.alloc(0);

/** Cryptographically random bytes from a pool: one large draw costs less than many small ones. */
export function pooledRandomBytes(size: number): Buffer {
  if (pool.length < size) pool = randomBytes(POOL_BYTES);
  const taken = pool.subarray(0, size);
  pool = pool.subarray(size);
  return taken;
}
