// The local ledger's own key, made on the first start. Whoever has it can change the policy and anchor, on this ledger
// and nowhere else; without it, what is on record belongs to nobody.
//
// It guards nothing of value: the local ledger is replayed from the records, so whoever can write to them needs no key.
// That is why it may lie beside an SQLite file, and in a PostgreSQL that several processes share. A key of Sui may not.
import { randomUUID } from "node:crypto";
import { closeSync, existsSync, fsyncSync, linkSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { decodeSuiPrivateKey, type Keypair } from "@mysten/sui/cryptography";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { toBase64 } from "@mysten/sui/utils";
import { loadKeypair } from "#adapters/ledger/sui/keystore.ts";
import { PortcullisError } from "#core/errors.ts";

/** Before a key in the keystore of the Sui command line: this is an Ed25519 key. */
const ED25519_FLAG = 0;

/** The key in the file at `path`, which is made if need be. */
export function loadOrCreateKeypair(path: string): Keypair {
  if (!existsSync(path)) create(path);
  return loadKeypair({ keystore: path });
}

/** The key that all have who share `keep`, which answers with the first secret that it was ever given. */
export async function keptKeypair(keep: (secret: Uint8Array) => Promise<Uint8Array>): Promise<Keypair> {
  return Ed25519Keypair.fromSecretKey(Uint8Array.from(await keep(newSecret())));
}

/** Linked to its place when it is complete: so it is there whole or not at all, and one that is there stays. */
function create(path: string): void {
  const unfinished = `${path}.${randomUUID()}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeDurably(unfinished, `${JSON.stringify([newEntry()], null, 2)}\n`);
    linkSync(unfinished, path);
    if (process.platform !== "win32") sync(dirname(path));
  } catch (cause) {
    // Another process was faster: its key is the key.
    if (existsSync(path)) return;
    throw new PortcullisError("configuration", `The local ledger's key cannot be kept at ${path}.`, { cause });
  } finally {
    if (existsSync(unfinished)) rmSync(unfinished);
  }
}

const newEntry = (): string => toBase64(Uint8Array.of(ED25519_FLAG, ...newSecret()));

const newSecret = (): Uint8Array => decodeSuiPrivateKey(Ed25519Keypair.generate().getSecretKey()).secretKey;

function writeDurably(path: string, text: string): void {
  const file = openSync(path, "wx", 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Makes the names in a folder durable too. */
function sync(folder: string): void {
  const file = openSync(folder, "r");
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
