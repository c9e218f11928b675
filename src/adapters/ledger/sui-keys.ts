// Key files and signatures of Sui, without its SDK.
import { statSync } from "node:fs";
import { configurationError } from "#core/errors.ts";

/** Whether the key file exists. Throws when others than its owner can read it. */
export function keyFileExists(path: string): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats !== undefined && process.platform !== "win32" && (stats.mode & 0o077) !== 0) {
    throw configurationError(`${path} can be read by others than its owner. Run: chmod 600 ${path}`);
  }
  return stats !== undefined;
}

/** The flag of the scheme, before keys and signatures. */
export const ED25519 = 0;
export const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** Of a signature by Ed25519, in base64. Undefined for another scheme. */
export function ed25519Parts(text: string) {
  const bytes = Buffer.from(text, "base64");
  if (bytes[0] !== ED25519 || bytes.length !== 1 + SIGNATURE_BYTES + KEY_BYTES) return undefined;
  return { signature: bytes.subarray(1, 1 + SIGNATURE_BYTES), publicKey: bytes.subarray(1 + SIGNATURE_BYTES) };
}
