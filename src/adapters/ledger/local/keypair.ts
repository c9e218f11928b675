// The local ledger's key, created on the first start. Its holder can change the policy and anchor on this ledger, and
// on no other. Without it nobody can continue the ledger on record.
//
// It guards nothing of value: the ledger is replayed from the records, so whoever can write to those needs no key. That
// is why it may be beside an SQLite file, or in a PostgreSQL. A key for Sui must not be stored there.
import { randomUUID } from "node:crypto";
import { existsSync, linkSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { decodeSuiPrivateKey, type Keypair, type PublicKey, Signer } from "@mysten/sui/cryptography";
import { Ed25519Keypair, Ed25519PublicKey } from "@mysten/sui/keypairs/ed25519";
import { toBase64 } from "@mysten/sui/utils";
import { syncNow } from "#adapters/durable-files.ts";
import { loadKeypair } from "#adapters/ledger/sui/keystore.ts";
import { ED25519 } from "#adapters/ledger/sui-keys.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";

export function loadOrCreateKeypair(path: string): Keypair {
  if (!existsSync(path)) create(path);
  return loadKeypair({ keystore: path });
}

/** The key that all processes share. `writeOnce` stores the first secret that it gets, and always returns that one. */
export const sharedKeypair = async (writeOnce: (secret: Uint8Array) => Promise<Uint8Array>): Promise<Keypair> =>
  Ed25519Keypair.fromSecretKey(Uint8Array.from(await writeOnce(newSecret())));

/** Writes the file beside and then links it to its path: so it appears complete, and never replaces another. */
function create(path: string): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const entry = toBase64(Uint8Array.of(ED25519, ...newSecret()));
    writeFileSync(unfinished, `${JSON.stringify([entry], null, 2)}\n`, { flag: "wx", mode: 0o600, flush: true });
    linkSync(unfinished, path);
    if (process.platform !== "win32") syncNow(dirname(path));
  } catch (cause) {
    // Another process was faster. Its key counts.
    if (existsSync(path)) return;
    throw configurationError(`The local ledger's key cannot be stored at ${path}.`, cause);
  } finally {
    if (existsSync(unfinished)) rmSync(unfinished);
  }
}

const newSecret = (): Uint8Array => decodeSuiPrivateKey(Ed25519Keypair.generate().getSecretKey()).secretKey;

/** Stands for the owner of a ledger whose key is lost: has its address, and signs nothing. */
export class ReadOnlySigner extends Signer {
  readonly #publicKey: PublicKey;

  constructor(publicKey: Uint8Array) {
    super();
    this.#publicKey = new Ed25519PublicKey(publicKey);
  }

  async sign(): Promise<never> {
    throw new PortcullisError("ledger-refused", "The local ledger is read-only here: its key is lost.");
  }

  getKeyScheme(): "ED25519" {
    return "ED25519";
  }

  getPublicKey(): PublicKey {
    return this.#publicKey;
  }
}
