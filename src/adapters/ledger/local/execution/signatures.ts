// Checks the signatures of a transaction.
import { createPublicKey, verify } from "node:crypto";
import { blake2b256, digestHex } from "#core/encoding/digest.ts";
import { refusal } from "./failure.ts";
import type { ReadTransaction } from "./transaction.ts";

/** Requires the sender's signature, and the sponsor's when the gas has another owner, and no others. */
export async function refuseWrongSignatures(
  { bytes, sender, gasOwner }: ReadTransaction,
  signatures: readonly string[],
): Promise<void> {
  const required = new Set([sender, gasOwner]);
  if (signatures.length !== required.size) {
    throw refusal(`Invalid user signature: Expect ${required.size} signer signatures but got ${signatures.length}`);
  }
  for (const signature of signatures) {
    const signer = await signerOf(bytes, signature);
    if (!required.delete(signer)) {
      throw refusal(`Invalid user signature: ${signer} signed, and is neither the sender nor the sponsor`);
    }
  }
}

async function signerOf(bytes: Uint8Array, signature: string): Promise<string> {
  const signer = ed25519SignerOf(bytes, signature);
  if (signer !== undefined) return signer;
  // Loaded on demand, because it takes a quarter of a second, zkLogin included.
  const { verifyTransactionSignature } = await import("@mysten/sui/verify");
  try {
    return (await verifyTransactionSignature(bytes, signature)).toSuiAddress();
  } catch (cause) {
    throw refusal("Invalid user signature: it does not belong to these bytes", "INVALID_ARGUMENT", cause);
  }
}

const ED25519 = 0;
const SIGNATURE_BYTES = 64;
const KEY_BYTES = 32;
/** RFC 8410: what stands before the 32 bytes of an Ed25519 key in a SubjectPublicKeyInfo. */
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
/** A transaction of version 0 for Sui. */
const INTENT = Uint8Array.of(0, 0, 0);

/**
 * The signer of an Ed25519 signature that is right, and undefined for all others. A replay checks as many signatures as
 * the ledger has transactions, and Node takes a tenth of the SDK's time.
 */
function ed25519SignerOf(bytes: Uint8Array, signature: string): string | undefined {
  const parts = Buffer.from(signature, "base64");
  if (parts[0] !== ED25519 || parts.length !== 1 + SIGNATURE_BYTES + KEY_BYTES) return undefined;
  const publicKey = parts.subarray(1 + SIGNATURE_BYTES);
  const key = createPublicKey({ key: Buffer.concat([SPKI, publicKey]), format: "der", type: "spki" });
  const message = blake2b256(Buffer.concat([INTENT, bytes]));
  if (!verify(null, message, key, parts.subarray(1, 1 + SIGNATURE_BYTES))) return undefined;
  return `0x${digestHex(Buffer.concat([Uint8Array.of(ED25519), publicKey]))}`;
}
