// Finds the key file that the local ledger on record belongs to. Works without the Sui SDK, because it runs at every
// start: the first transaction has the public key in its signature, and the file has the private one.
import { createPrivateKey, createPublicKey } from "node:crypto";
import { readFileSync } from "node:fs";
import { keyFileExists } from "#adapters/ledger/key-file.ts";
import { configurationError } from "#core/errors.ts";
import type { LedgerLog } from "#ports.ts";

export interface KeyFiles {
  /** The key of this database. */
  readonly keyPath: string;
  /** Where earlier versions kept it: one file for all databases of a folder. Only read, and only if it fits. */
  readonly formerKeyPath?: string | undefined;
}

/** The file, or why there is none. `owner` is the public key that the ledger on record wants. */
export type LedgerKey =
  | { readonly kind: "fits"; readonly path: string }
  | { readonly kind: "missing" | "foreign"; readonly path: string; readonly owner: Buffer };

export async function findLedgerKey({ keyPath, formerKeyPath }: KeyFiles, log: LedgerLog): Promise<LedgerKey> {
  const isThere = keyFileExists(keyPath);
  const [first] = await log.page({ limit: 1 });
  const owner = first && signerOf(first.signatures);
  // A ledger without transactions takes any key, and one that is damaged is reported when it is replayed.
  if (owner === undefined) return { kind: "fits", path: keyPath };
  for (const path of [keyPath, formerKeyPath]) {
    if (path !== undefined && keyFileExists(path) && publicKeyIn(path)?.equals(owner)) return { kind: "fits", path };
  }
  return { kind: isThere ? "foreign" : "missing", path: keyPath, owner };
}

/** Stops a start that could not continue the ledger on record. */
export function requireLedgerKey(key: LedgerKey): string {
  if (key.kind === "fits") return key.path;
  const what = key.kind === "missing" ? "is missing" : "belongs to another ledger";
  throw configurationError(
    `The key of the local ledger ${what}: ${key.path}. Restore the file that was backed up with this database. If it is lost, set LOCAL_LEDGER=read-only: receipts can then be verified, and no more can be anchored.`,
  );
}

const ED25519 = 0;
const KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;

/** The public key in a signature of Sui: the flag of the scheme, the signature, the public key. */
function signerOf([signature = ""]: readonly string[]): Buffer | undefined {
  const bytes = Buffer.from(signature, "base64");
  const isEd25519 = bytes[0] === ED25519 && bytes.length === 1 + SIGNATURE_BYTES + KEY_BYTES;
  return isEd25519 ? bytes.subarray(1 + SIGNATURE_BYTES) : undefined;
}

/** RFC 8410: what stands before the 32 bytes of an Ed25519 key in PKCS #8. */
const PKCS8 = Buffer.from("302e020100300506032b657004220420", "hex");

/** Undefined for a file that is no keystore with one Ed25519 key. Nothing of its content gets into an error. */
function publicKeyIn(path: string): Buffer | undefined {
  try {
    const [entry]: unknown[] = JSON.parse(readFileSync(path, "utf8"));
    const bytes = Buffer.from(String(entry), "base64");
    if (bytes[0] !== ED25519 || bytes.length !== 1 + KEY_BYTES) return undefined;
    const key = createPrivateKey({ key: Buffer.concat([PKCS8, bytes.subarray(1)]), format: "der", type: "pkcs8" });
    return createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES);
  } catch {
    return undefined;
  }
}
