import { hash, timingSafeEqual } from "node:crypto";

/** SHA-256, hex. What is hashed has 192 random bits or more, so nobody can find it by trying. */
export const hashOf = (secret: string): string => hash("sha256", secret, "hex");

/** Takes the same time wherever the hashes differ. */
export function isSameHash(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
