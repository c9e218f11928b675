// Loads the server's signing key from a keystore file of the Sui command line or from an exported key. The key leaves
// this file only inside a Keypair. The ledger adapter keeps that in a closure, so it is a property of no object that
// others hold.
import { readFileSync } from "node:fs";
import { decodeSuiPrivateKey, type Keypair, SIGNATURE_SCHEME_TO_FLAG } from "@mysten/sui/cryptography";
import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { Secp256k1Keypair } from "@mysten/sui/keypairs/secp256k1";
import { Secp256r1Keypair } from "@mysten/sui/keypairs/secp256r1";
import { KEY_BYTES, keyFileExists } from "#adapters/ledger/sui-keys.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";

const EXPORTED_PREFIX = "suiprivkey1";
// The keystore writes a flag byte before each key. Its value is the index of the signature scheme in this list.
const BY_FLAG = [Ed25519Keypair, Secp256k1Keypair, Secp256r1Keypair] as const;

/** `keystore` is a `suiprivkey1…` string or the path of a keystore file; `address` chooses among several keys. */
export function loadKeypair({ keystore, address }: { keystore: string; address?: string | undefined }): Keypair {
  const keypairs = keystore.startsWith(EXPORTED_PREFIX) ? [fromExported(keystore)] : fromFile(keystore);
  const [first] = keypairs;
  if (address === undefined && first !== undefined && keypairs.length === 1) return first;
  const chosen = keypairs.find((keypair) => keypair.toSuiAddress() === address);
  if (chosen !== undefined) return chosen;
  const addresses = keypairs.map((keypair) => keypair.toSuiAddress()).join(", ") || "none";
  throw configurationError(`Set SUI_ADDRESS to the address that signs. The keystore has: ${addresses}.`);
}

function fromExported(text: string): Keypair {
  try {
    const { scheme, secretKey } = decodeSuiPrivateKey(text);
    return fromBytes(Uint8Array.of(SIGNATURE_SCHEME_TO_FLAG[scheme], ...secretKey));
  } catch {
    // Without a cause, because the text that failed to parse is the key.
    throw configurationError("SUI_KEYSTORE begins like an exported key (suiprivkey1…) but is not a valid one.");
  }
}

function fromFile(path: string): Keypair[] {
  if (!isKeyFile(path)) throw configurationError(NO_FILE);
  try {
    const entries: unknown = JSON.parse(readFileSync(path, "utf8"));
    if (!Array.isArray(entries)) throw new Error("shape");
    return entries.map((entry) => fromBytes(Buffer.from(String(entry), "base64")));
  } catch {
    throw configurationError(`${path} is not a keystore of the Sui command line (a JSON array of base64 keys).`);
  }
}

/** Does not quote the text, because people put the key itself there. */
const NO_FILE =
  "SUI_KEYSTORE names no file that exists. It takes the path of a keystore of the Sui command line, or a key that begins with suiprivkey1.";

/** The operating system's error would quote the text. */
function isKeyFile(path: string): boolean {
  try {
    return keyFileExists(path);
  } catch (error) {
    if (error instanceof PortcullisError) throw error;
    throw configurationError(NO_FILE);
  }
}

function fromBytes(bytes: Uint8Array): Keypair {
  const Pair = BY_FLAG[bytes[0] ?? BY_FLAG.length];
  if (Pair === undefined || bytes.length !== KEY_BYTES + 1) throw new Error("key");
  return Pair.fromSecretKey(Uint8Array.from(bytes.subarray(1)));
}
