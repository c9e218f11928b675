import { createHash, timingSafeEqual } from "node:crypto";

/** SHA-256, hex. What is hashed has 192 random bits or more, so nobody can find it by trying. */
export const hashOf = (secret: string): string => createHash("sha256").update(secret).digest("hex");

/** Takes the same time wherever the hashes differ. */
export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
