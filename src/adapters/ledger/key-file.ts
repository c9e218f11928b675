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
